/** Entry of the page: registers the elements, then hands everything to `TimelinePage`. */
import { TimelinePage } from './timelinePage.ts';
import { registerToolkit } from './toolkit.ts';

registerToolkit();
new TimelinePage(document.body, acquireVsCodeApi()).start();
