/**
 * The only file that knows `@vscode/webview-ui-toolkit`: registers the elements the page uses. Its colours follow the
 * theme; what it gets wrong (corner radius, newer colours) is put right by token in `timeline.css`.
 */
import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeDropdown,
  vsCodeOption,
  vsCodeProgressRing,
} from '@vscode/webview-ui-toolkit';

/** Call once, before the first render. */
export function registerToolkit(): void {
  provideVSCodeDesignSystem().register(
    vsCodeButton(),
    vsCodeDropdown(),
    vsCodeOption(),
    vsCodeProgressRing(),
  );
}
