/** Entry of the page of a session's history: registers the elements, then hands everything to `HistoryPage`. */
import { HistoryPage } from './history/historyPage.ts';
import { registerToolkit } from './toolkit.ts';
import './vscodeApi.ts';

registerToolkit();
new HistoryPage(document.body, acquireVsCodeApi()).start();
