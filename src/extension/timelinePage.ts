/** The document the timeline's webview loads: nothing inline, nothing remote. Pure. */

export interface PageParts {
  readonly cspSource: string;
  /** Fresh for each document. */
  readonly nonce: string;
  readonly scriptUri: string;
  readonly styleUri: string;
  /** Two letters or more, as in `lang`. */
  readonly language: string;
  readonly title: string;
}

export function timelinePage(parts: PageParts): string {
  const { cspSource, nonce } = parts;
  const policy = [
    "default-src 'none'",
    `style-src ${cspSource} 'nonce-${nonce}'`,
    `font-src ${cspSource}`,
    `img-src ${cspSource}`,
    `script-src 'nonce-${nonce}'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escapeHtml(parts.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" nonce="${escapeHtml(nonce)}" href="${escapeHtml(parts.styleUri)}">
<title>${escapeHtml(parts.title)}</title>
</head>
<body>
<script type="module" nonce="${escapeHtml(nonce)}" src="${escapeHtml(parts.scriptUri)}"></script>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
