/** Entry of a project's page: registers the elements, then hands everything to `ProjectPage`. */
import { ProjectPage } from './project/projectPage.ts';
import { registerToolkit } from './toolkit.ts';
import './vscodeApi.ts';

registerToolkit();
new ProjectPage(document.body, acquireVsCodeApi()).start();
