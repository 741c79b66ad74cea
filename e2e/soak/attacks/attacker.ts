// Worker thread: a client of one network that sends an attack ten times a second, whatever the responses. When stopped, it posts how many
// requests ended in each status.
import { Agent, type RequestOptions, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { camtStatement } from '../../../domain/reconciliation/testing/camt-statement.ts';
import { seededRandom } from '../../../infra/testing/soak.ts';

export type AttackName = keyof typeof attacks;

export interface AttackOrder {
  readonly url: string;
  readonly name: AttackName;
  /** The session of a treasurer. */
  readonly cookie: string;
  readonly seed: number;
}

/** How often each status was answered, `cut` where the connection ended before one. */
export type AttackReport = Readonly<Record<string, number>>;

const gapMs = 100;
/** Maximum number of requests in flight. */
const maxOpen = 100;
const bytesPerSecondOfEndless = 1_000_000;

const { url, name, cookie, seed }: AttackOrder = workerData;
const random = seededRandom(seed, name);
const agent = new Agent({ keepAlive: true, maxSockets: maxOpen });
const answers: Record<string, number> = {};
let open = 0;
const statements = '/api/admin/reconciliation/statements';
const json = { 'content-type': 'application/json' };

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
  readonly isEndless?: boolean;
}

function send({ method = 'POST', path, headers = {}, body = '', isEndless = false }: Sent): Promise<string> {
  open += 1;
  return new Promise<string>((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const end = (outcome: string) => {
      clearInterval(timer);
      resolve(outcome);
    };
    // The product trusts this machine as a proxy, so this is the network that is counted.
    const options: RequestOptions = { method, agent, headers: { 'x-forwarded-for': '203.0.113.66', ...headers } };
    const sent = request(`${url}${path}`, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('close', () =>
        end(path.startsWith('/socket.io') && method === 'GET' ? text : `${response.statusCode}`),
      );
    });
    sent.on('error', () => end('cut'));
    if (!isEndless) return sent.end(body);
    timer = setInterval(() => sent.write(Buffer.alloc(bytesPerSecondOfEndless / 10, 0x20)), 100);
  }).finally(() => {
    open -= 1;
  });
}

const nested = Buffer.from(`{"data":${'['.repeat(5_900_000)}${']'.repeat(5_900_000)}}`);
const statement = () => Buffer.from(camtStatement(24_000)).toString('base64');
const large = Buffer.from(name === 'large statements of a treasurer' ? `{"data":"${statement()}"}` : '');
const webhook = Buffer.alloc(1_000_000, 0x20);
const forged = () => `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`;

const attacks = {
  'nested JSON without a session': () => send({ path: statements, headers: json, body: nested }),
  'nested JSON of a treasurer': () => send({ path: statements, headers: { ...json, cookie }, body: nested }),
  'a flood of CONNECT packets': async () => {
    const path = '/socket.io/?EIO=4&transport=polling';
    const headers = { cookie: `chasqui_session=${'B'.repeat(43)}` };
    const sid = /"sid":"([^"]+)"/.exec(await send({ method: 'GET', path, headers }))?.[1];
    if (sid === undefined) return 'refused';
    return send({ path: `${path}&sid=${sid}`, headers, body: Array(5_461).fill('40').join('\u001e') });
  },
  'large statements of a treasurer': () => send({ path: statements, headers: { ...json, cookie }, body: large }),
  'unsigned webhooks': () => {
    const signature = [undefined, 'x', forged()][Math.floor(random() * 3)];
    const headers = { ...json, ...(signature !== undefined && { 'stripe-signature': signature }) };
    return send({ path: '/api/stripe/webhook', headers, body: webhook });
  },
  'bodies without an end': () => {
    const targets = [
      { path: '/api/auth/login' },
      { path: '/api/stripe/webhook', headers: { 'stripe-signature': forged() } },
      { path: statements, headers: { cookie } },
    ];
    const { path, headers } = targets[Math.floor(random() * targets.length)] as Sent;
    return send({ path, headers: { ...json, ...headers }, isEndless: true });
  },
};

const timer = setInterval(async () => {
  if (open >= maxOpen) {
    answers.unsent = (answers.unsent ?? 0) + 1;
    return;
  }
  const outcome = await attacks[name]();
  answers[outcome] = (answers[outcome] ?? 0) + 1;
}, gapMs);

parentPort?.once('message', () => {
  clearInterval(timer);
  parentPort?.postMessage({ ...answers, open } satisfies AttackReport);
});
