/** Keeps the rules of what is captured in line with the user's git index, `info/exclude` and our limits. Reads only. */
import path from 'node:path';
import { excludesFinder } from '../git/excludesFile.ts';
import { type IndexData, readIndex } from '../git/trackedPaths.ts';
import { userRepository } from '../git/userRepository.ts';
import {
  CaptureRules,
  defaultExcludedFolders,
  type RuleData,
  readText,
  signatureOf,
} from './captureRules.ts';
import type { SnapshotLimits } from './snapshotTypes.ts';

const defaultMaxFileSize = 32 * 1024 * 1024;

export interface RuleOptions {
  readonly root: string;
  /** Asked before each snapshot: a person may change them at any time. */
  readonly limits: () => SnapshotLimits;
  readonly platform: NodeJS.Platform;
  /** For the user's ignore rules for all repositories. */
  readonly environment: NodeJS.ProcessEnv;
}

/** What the rules were made from; a difference means that folders must be judged anew. */
export interface RuleSources {
  readonly index: string;
  readonly exclude: string;
  readonly limits: string;
}

export class RuleKeeper {
  rules: CaptureRules;
  /** What the table was judged by. */
  sources: RuleSources | undefined;
  readonly #options: RuleOptions;
  readonly #findShared = excludesFinder();
  #isLoaded = false;

  constructor(options: RuleOptions) {
    this.#options = options;
    this.rules = new CaptureRules(this.#data({ shared: '', exclude: '' }, undefined));
  }

  /** @returns which folders must be judged anew: none, all, or those where what is tracked makes a difference */
  refresh(): 'same' | 'all' | 'tracked' {
    const { root, environment } = this.#options;
    const repository = userRepository(root);
    const index = repository && path.join(repository.gitFolder, 'index');
    const exclude = repository && path.join(repository.commonFolder, 'info', 'exclude');
    const { maxFileSize, excludedFolders } = this.#limits;
    const shared = repository && this.#findShared({ root, environment, ...repository });
    const sources: RuleSources = {
      index: signatureOf(index),
      exclude: [signatureOf(exclude), shared, signatureOf(shared)].join(' '),
      limits: JSON.stringify([maxFileSize, excludedFolders]),
    };
    const old = this.sources;
    const isSameIndex = old?.index === sources.index;
    const isSameRest = old?.exclude === sources.exclude && old.limits === sources.limits;
    if (isSameIndex && isSameRest && this.#isLoaded) return 'same';
    this.sources = sources;
    this.#isLoaded = true;
    const text = exclude === undefined ? '' : readText(exclude);
    const tracked = index === undefined ? undefined : readIndex(index);
    const sharedText = shared === undefined ? '' : readText(shared);
    this.rules = new CaptureRules(this.#data({ shared: sharedText, exclude: text }, tracked));
    if (old === undefined || (isSameIndex && isSameRest)) return 'same';
    return isSameRest ? 'tracked' : 'all';
  }

  get #limits(): Required<SnapshotLimits> {
    return {
      maxFileSize: defaultMaxFileSize,
      excludedFolders: defaultExcludedFolders,
      ...this.#options.limits(),
    };
  }

  #data(texts: Pick<RuleData, 'shared' | 'exclude'>, index: IndexData | undefined): RuleData {
    const { root, platform } = this.#options;
    const foldCase = platform === 'win32' || platform === 'darwin';
    return { root, ...this.#limits, foldCase, ...texts, index };
  }
}
