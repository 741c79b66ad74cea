import { Agent, request } from 'node:http';

/** One HTTP request over kept connections; resolves with the status and the body's text. */
export function send(
  agent: Agent,
  url: string,
  { method = 'POST', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<{ status: number; text: string; cookies: string[] }> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const call = request(url, { agent, method, headers: { ...headers, ...length } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: answer.statusCode ?? 0, text, cookies: answer.headers['set-cookie'] ?? [] });
      });
    });
    call.on('error', (error: NodeJS.ErrnoException) => {
      // The server closed an idle connection at the very moment it was used again.
      const unused = call.reusedSocket && error.code === 'ECONNRESET';
      if (unused) send(agent, url, { method, headers, ...(body === undefined ? {} : { body }) }).then(resolve, reject);
      else reject(error);
    });
    call.end(body);
  });
}

/** Runs `work` for every item, `width` at a time. Returns the seconds it took. */
export async function inLanes<Item>(
  items: readonly Item[],
  width: number,
  work: (item: Item, agent: Agent) => Promise<unknown>,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: width });
  const queue = items.values();
  const started = performance.now();
  try {
    await Promise.all(
      Array.from({ length: width }, async () => {
        for (const item of queue) await work(item, agent);
      }),
    );
    return (performance.now() - started) / 1000;
  } finally {
    agent.destroy();
  }
}

/** The middle one of some values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Waits until a condition holds, looking every few milliseconds. @throws after a minute. */
export async function until(what: string, holds: () => Promise<boolean>, everyMs = 20): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`still waiting: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
