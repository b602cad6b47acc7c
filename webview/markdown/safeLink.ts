/** Where a link in somebody's text may lead: web pages, before which VS Code asks. Pure. */

const schemes = new Set(['https:', 'http:']);

/** The address in full, or undefined for any other: commands, files, scripts, mail, parts of a page. */
export function safeLink(url: string): string | undefined {
  const given = url.startsWith('<') && url.endsWith('>') ? url.slice(1, -1) : url;
  const address = /^www\./i.test(given) ? `https://${given}` : given;
  if (!URL.canParse(address)) return undefined;
  const parsed = new URL(address);
  return schemes.has(parsed.protocol) ? parsed.href : undefined;
}
