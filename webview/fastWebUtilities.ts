/**
 * Stands in for `@microsoft/fast-web-utilities` in the bundle (`--alias` in package.json). The original finds out
 * whether the browser knows `:focus-visible` by adding a style element to the page, which our content security policy
 * forbids. Every browser VS Code runs in knows it.
 */
export * from '../node_modules/@microsoft/fast-web-utilities/dist/index.js';

export const canUseFocusVisible = (): boolean => true;
