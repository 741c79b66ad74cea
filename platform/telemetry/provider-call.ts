import { providerCallDuration, statusClass, timed } from './metrics.ts';

/** A call of another company's server. */
export interface ProviderCall {
  readonly provider: 'stripe' | 'bank';
  /** Method and path without ids: "POST /v1/payment_intents/{id}/capture". */
  readonly call: string;
}

/** Makes a call and measures it. @throws what the call throws. */
export function providerCall<Answer>(
  { provider, call }: ProviderCall,
  work: () => Promise<Answer>,
  statusOf: (answer: Answer) => number,
): Promise<Answer> {
  return timed(work, (seconds, ended) => {
    const outcome = 'result' in ended ? statusClass(statusOf(ended.result)) : 'error';
    providerCallDuration.observe({ provider, call, outcome }, seconds);
  });
}

/** A path with braces in place of its ids, and without its query: names of our providers' paths are lower case, ids are not. */
export function withoutIds(path: string): string {
  const [pathname = ''] = path.split('?');
  return pathname.replace(/[^/]+/g, (segment) => (/^(v\d|[a-z_-]+)$/.test(segment) ? segment : '{id}'));
}
