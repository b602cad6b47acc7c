/** Shows the change to an agent's settings file as a diff of two texts that are nowhere on disk, and asks beside it. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { ConnectionPlan } from '../app/connector.ts';
import type { ChangeQuestion } from './connectTexts.ts';
import type { EditorOffers, Offer } from './editorOffers.ts';
import { settingsScheme } from './names.ts';

export class SettingsDiff implements vscode.Disposable {
  readonly #offers: EditorOffers;
  /** What each showing is of, also of earlier ones, whose texts VS Code may still ask for. */
  readonly #plans: ConnectionPlan[] = [];
  #standing: Offer | undefined;
  readonly #registration: vscode.Disposable;

  constructor(offers: EditorOffers) {
    this.#offers = offers;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(settingsScheme, {
      provideTextDocumentContent: (uri) => {
        const [which, place] = uri.query.split(' ');
        const plan = this.#plans[Number(place)];
        return (which === 'before' ? plan?.before : plan?.after) ?? '';
      },
    });
  }

  /** True: the change is to be made. One at a time: an earlier question is given up. */
  async confirm(plan: ConnectionPlan, question: ChangeQuestion): Promise<boolean> {
    await this.#standing?.close();
    const place = this.#plans.push(plan) - 1;
    const side = (which: 'before' | 'after'): vscode.Uri =>
      vscode.Uri.from({
        scheme: settingsScheme,
        path: vscode.Uri.file(plan.file).path,
        query: `${which} ${place}`,
      });
    const modified = side('after');
    const title = vscode.l10n.t('{0} ({1})', path.basename(plan.file), question.states);
    await vscode.commands.executeCommand('vscode.diff', side('before'), modified, title);
    const offer = this.#offers.make(question, ({ input }) => isOf(input, modified));
    this.#standing = offer;
    const accepted = await offer.accepted;
    await offer.close();
    return accepted;
  }

  dispose(): void {
    this.#registration.dispose();
  }
}

function isOf(input: unknown, modified: vscode.Uri): boolean {
  return (
    input instanceof vscode.TabInputTextDiff && input.modified.toString() === modified.toString()
  );
}
