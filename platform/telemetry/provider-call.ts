import { providerCallDuration, statusClass, timed } from './metrics.ts';
import { beginSpan } from './tracing.ts';

/** A call of another company's server. */
export interface ProviderCall {
  readonly provider: 'stripe' | 'bank';
  /** Method and path without ids: "POST /v1/payment_intents/{id}/capture". */
  readonly call: string;
}

/**
 * Makes a call in its own span and measures it. The trace is not propagated to the other company. @throws what the call
 * throws.
 */
export function providerCall<Answer>(
  { provider, call }: ProviderCall,
  work: () => Promise<Answer>,
  statusOf: (answer: Answer) => number,
): Promise<Answer> {
  const span = beginSpan(`${provider} ${call}`, { kind: 'client' });
  return timed(span ? () => span.run(work) : work, (seconds, ended) => {
    const status = 'result' in ended ? statusOf(ended.result) : undefined;
    const outcome = status === undefined ? 'error' : statusClass(status);
    providerCallDuration.observe({ provider, call, outcome }, seconds);
    const attributes = status === undefined ? {} : { 'http.response.status_code': status };
    span?.end(undefined, attributes, status === undefined || status >= 400);
  });
}

/** A path with braces in place of its ids, and without its query: names of our providers' paths are lower case, ids are not. */
export function withoutIds(path: string): string {
  const [pathname = ''] = path.split('?');
  return pathname.replace(/[^/]+/g, (segment) => (/^(v\d|[a-z_-]+)$/.test(segment) ? segment : '{id}'));
}
