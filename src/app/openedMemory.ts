/** Memory, loaded with its first use: most of what hosts do needs none of it. */
import type { MemoryContextUse } from './memoryContextUse.ts';
import type { MemoryUse } from './memoryUse.ts';
import type { OperationContext } from './operations.ts';
import type { Disposable } from './timelineApp.ts';

export interface OpenedMemory extends Disposable {
  use(): Promise<MemoryUse>;
  /** Documents, presets, portraits, and what agents are given. */
  context(): Promise<MemoryContextUse>;
}

interface Opened {
  readonly use: MemoryUse;
  readonly context: MemoryContextUse;
  close(): void;
}

export function openedMemory(context: OperationContext, userHome: string): OpenedMemory {
  let opened: Promise<Opened> | undefined;
  let isDisposed = false;
  const open = async () => {
    const [{ memoryUse }, { memoryContextActions }, { memoryKeeper }] = await Promise.all([
      import('./memory.ts'),
      import('./memoryContextActions.ts'),
      import('./memoryKeeper.ts'),
    ]);
    const keeper = memoryKeeper(context);
    return {
      use: memoryUse(keeper),
      context: memoryContextActions(keeper, userHome),
      close: () => keeper.close(),
    };
  };
  const needed = (): Promise<Opened> => {
    if (isDisposed) throw new Error('The timeline is closed.');
    opened ??= open();
    return opened;
  };
  return {
    use: async () => (await needed()).use,
    context: async () => (await needed()).context,
    dispose() {
      isDisposed = true;
      void opened?.then(({ close }) => close());
    },
  };
}
