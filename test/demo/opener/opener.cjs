/** Opens the timeline as soon as the demo's window is there: a person would have to find its icon first. */
const vscode = require('vscode');

exports.activate = () => vscode.commands.executeCommand('memcode.openTimeline');
