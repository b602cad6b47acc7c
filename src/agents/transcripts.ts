/** The agents whose transcripts can be read, and where they keep them. */
import { claudeTranscripts } from './claude/transcript.ts';
import { clineTranscripts } from './cline/transcript.ts';
import { codexTranscripts } from './codex/transcript.ts';
import { copilotTranscripts } from './copilot/transcript.ts';
import { geminiTranscripts } from './gemini/transcript.ts';
import { opencodeTranscripts } from './opencode/transcript.ts';
import type { TranscriptSource } from './transcript.ts';

export const transcriptSources: readonly TranscriptSource[] = [
  claudeTranscripts,
  codexTranscripts,
  geminiTranscripts,
  copilotTranscripts,
  clineTranscripts,
  opencodeTranscripts,
];

/** Of the agent of that name; undefined when its transcripts cannot be read. */
export function sourceOf(agent: string): TranscriptSource | undefined {
  return transcriptSources.find((source) => source.agent === agent);
}

/** Whose transcript a file is, by its name and place. */
export function sourceOfFile(file: string): TranscriptSource | undefined {
  const name = file.replaceAll('\\', '/');
  return transcriptSources.find((source) => source.isTranscript(name));
}
