import { readFile } from 'node:fs/promises';
import { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import { minuteMs } from '#core/time/time';
import { webhookEventTypes } from '#core/webhooks/events';
import { signatureOf } from './sign.ts';

const signedAt = new Date('2026-11-20T15:00:00Z');

describe('a signature', () => {
  test('is the HMAC of time and body, one for each secret, and matches a vector made with OpenSSL', () => {
    // printf '1795186800.{"id":"evt_1"}' | openssl dgst -sha256 -hmac whsec_test
    const signature = signatureOf('{"id":"evt_1"}', ['whsec_test', 'whsec_old'], new Date(1_795_186_800_500));
    expect(signature).toBe(
      't=1795186800,v1=0d8731b7f84df2d3a2eab8a909d89e8b0a2d5e68c7653580d4cc1d7fc6fbe0cc,v1=74803e26b1259b88ed9f06288a351ccd6189caf4d99f980d2d92c429a7454d55',
    );
  });

  test("is accepted by Stripe's library, which rejects an altered body", () => {
    const header = signatureOf('{"id":"evt_1"}', ['whsec_test'], new Date());
    const check = (body: string) => Stripe.webhooks.signature?.verifyHeader(body, header, 'whsec_test', 300);
    expect(check('{"id":"evt_1"}')).toBe(true);
    expect(() => check('{"id":"evt_2"}')).toThrow(/signature/);
  });
});

describe('the example for partners', () => {
  test('in docs/partner-webhooks.md accepts our signatures, with either secret, and rejects altered or old events', async () => {
    const text = await readFile('docs/partner-webhooks.md', 'utf8');
    const code = /```js\n(.*?)```/s.exec(text)?.[1] ?? '';
    const { readEvent } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    const body = JSON.stringify(JSON.parse(/```json\n(.*?)```/s.exec(text)?.[1] ?? ''));
    const header = signatureOf(body, ['whsec_new', 'whsec_old'], signedAt);
    const read = (bytes: string, secret: string, late = 0) =>
      readEvent(Buffer.from(bytes), header, secret, signedAt.getTime() + late);
    expect(read(body, 'whsec_new').type).toBe('transfer.completed');
    expect(read(body, 'whsec_old').id).toBe(read(body, 'whsec_new').id);
    expect(() => read(body, 'whsec_else')).toThrow('wrong signature');
    expect(() => read(body.replace('1291', '9291'), 'whsec_new')).toThrow('wrong signature');
    expect(() => read(body, 'whsec_new', 6 * minuteMs)).toThrow('too old');
    for (const type of webhookEventTypes) expect(text).toContain(`| \`${type}\``);
  });
});
