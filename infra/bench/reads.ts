import { type Bench, settled } from './bench.ts';
import { measured } from './cpu.ts';
import { type Figure, ofRounds } from './figure.ts';
import { json, quoteBody } from './floor-answers.ts';
import { hammer, requestText } from './hammer.ts';

/** Requests of a round for each payment that is booked; one round more warms up both sides. */
const requestsPerPayment = 50;
const width = 32;
/** So many calls come from one network: what a person asks who types an amount. */
const callsOfNetwork = 20;

interface Read {
  readonly name: string;
  readonly least: number;
  readonly line: string;
  readonly floor: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const reads: readonly Read[] = [
  { name: 'GET /api/rate', least: 0.5, line: 'GET /api/rate', floor: 'GET /rate' },
  {
    name: 'POST /api/quote',
    least: 0.4,
    line: 'POST /api/quote',
    floor: 'POST /quote',
    headers: json,
    body: quoteBody,
  },
  { name: 'GET / with brotli', least: 0.8, line: 'GET /', floor: 'GET /page', headers: { accept: 'text/html' } },
];

/** What everybody may read, a second, beside a bare Nest route that answers the same bytes. */
export async function measureReads(bench: Bench): Promise<Figure[]> {
  const { product, floors, rounds, size } = bench;
  const requests = size * requestsPerPayment;
  await settled(product);
  const lines: Figure[] = [];
  for (const read of reads) {
    const speed: number[] = [];
    const cpu = { ours: 0, floor: 0 };
    for (let round = -1; round < rounds; round += 1) {
      const asked = (side: 'ours' | 'floor') => (index: number) => {
        const network = Math.floor(((round + 1) * requests + index) / callsOfNetwork);
        const from = `10.${(network >> 16) & 255}.${(network >> 8) & 255}.${network & 255}`;
        return requestText(
          side === 'ours' ? read.line : read.floor,
          { 'x-forwarded-for': from, ...read.headers },
          read.body,
        );
      };
      const load = { width, count: requests };
      const floor = await measured(bench, () => hammer({ ...load, port: floors.nestPort }, asked('floor')));
      const ours = await measured(bench, () => hammer({ ...load, port: product.port }, asked('ours')));
      if (round < 0) continue;
      speed.push(floor.result / ours.result);
      cpu.floor += floor.cpu.floor;
      cpu.ours += ours.cpu.api + ours.cpu.postgres + ours.cpu.redis;
    }
    lines.push(
      ofRounds(
        { name: `${read.name}, a second, ${width} at a time`, of: 'a bare Nest route', aim: { least: read.least } },
        speed,
      ),
      { name: `${read.name}, CPU`, of: "the bare route's", value: cpu.ours / cpu.floor, unit: 'times' },
    );
  }
  return lines;
}
