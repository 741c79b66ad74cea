import { z } from 'zod';
import { readBoundedText } from '#platform/http/bounded-body';
import { withinTime } from '#platform/http/time-limit';

/** Timeout of a request, in ms. */
const timeoutMs = 5_000;
/** Maximum size of an answer: ten entities with all their list data. */
const maxAnswerBytes = 1024 * 1024;
const most = 10;

/** A listed person whose name resembles the searched one. */
export interface ListedPerson {
  readonly source: string;
  readonly sourceId: string;
  readonly name: string;
  readonly programs: readonly string[];
  /** From 0 to 1. */
  readonly score: number;
}

/** Screening of names against sanctions lists. */
export interface Watchman {
  /**
   * Listed people whose name resembles this one by `minScore` (0 to 1) or more; empty without results.
   * @throws Error when the service does not answer, or with an unreadable answer. Its message contains no name.
   */
  search(name: string, minScore: number): Promise<ListedPerson[]>;
}

/** The fields read from Watchman's answer (its `docs/api.yaml`); a list without entries is null in Go. */
const searchAnswer = z.object({
  entities: z
    .array(
      z.object({
        name: z.string().min(1),
        sourceList: z.string().min(1),
        sourceID: z.string().min(1),
        match: z.number().min(0).max(1),
        sanctionsInfo: z.object({ programs: z.array(z.string()).nullable() }).nullish(),
      }),
    )
    .nullable(),
});

/** A client of Moov Watchman's HTTP API, version 2. `url`: its base URL without a path. */
export function connectWatchman(url: string, { waitMs = timeoutMs }: { waitMs?: number } = {}): Watchman {
  return {
    async search(name, minScore) {
      const query = new URLSearchParams({ type: 'person', name, minMatch: String(minScore), limit: String(most) });
      const text = await withinTime(waitMs, (signal) => ask(`${url}/v2/search?${query}`, signal));
      const read = searchAnswer.safeParse(parsed(text));
      if (!read.success) throw new Error('the answer of the list service cannot be read');
      return (read.data.entities ?? [])
        .filter(({ match }) => match >= minScore)
        .map(({ name: listed, sourceList, sourceID, match, sanctionsInfo }) => ({
          ...{ source: sourceList, sourceId: sourceID, name: listed, score: match },
          programs: sanctionsInfo?.programs ?? [],
        }));
    },
  };
}

async function ask(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { headers: { accept: 'application/json' }, redirect: 'manual', signal });
  if (response.status === 200) return readBoundedText(response, maxAnswerBytes);
  await response.body?.cancel();
  throw new Error(`the list service answered ${response.status}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
