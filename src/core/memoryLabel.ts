/** How a file of memory is called where people are told of it, by its path in the memory folder. Pure. */

export function memoryLabel(path: string): string {
  const [, project, note] = /^(projects\/[^/]+\/)?notes\/([^/]+)\.md$/.exec(path) ?? [];
  if (note !== undefined) return project === undefined ? `global note ${note}` : `note ${note}`;
  const facts = /^(?:projects\/[^/]+\/)?facts\/([^/]+)$/.exec(path)?.[1];
  return facts === undefined ? path : `facts (${facts})`;
}
