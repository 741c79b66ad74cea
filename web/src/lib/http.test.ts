import { afterEach, describe, expect, it, vi } from 'vitest';
import { failureCodes } from '#core/contracts/failures';
import { ApiFailure, addressOf, call, errorMessage, fetchFile } from './http.ts';

afterEach(() => vi.unstubAllGlobals());

function answering(status: number, body: string) {
  const fetched = vi.fn(async (_address: string, _request: RequestInit) => new Response(body || null, { status }));
  vi.stubGlobal('fetch', fetched);
  return fetched;
}

describe('addressOf', () => {
  it('the address of a call has its parameters filled in and leaves empty query values out', () => {
    expect(addressOf('/api/recipients/{id}', { id: 'a/b' }, { search: '', cursor: undefined, limit: 5 })).toBe(
      '/api/recipients/a%2Fb?limit=5',
    );
  });
});

describe('call', () => {
  it('a call sends the session and a JSON body, and answers what came back', async () => {
    const fetched = answering(200, '{"bs":"1291.40"}');
    const quote = await call('quote', { body: { amount: '100.00', currency: 'EUR' } });
    expect(quote.bs).toBe('1291.40');
    const [address, request] = fetched.mock.calls[0]!;
    expect(address).toBe('/api/quote');
    expect(request).toMatchObject({ method: 'POST', credentials: 'include' });
    expect(request.body).toBe('{"amount":"100.00","currency":"EUR"}');
  });

  it('a call that says so arrives although the page is left', async () => {
    const fetched = answering(200, '{}');
    await call('setLocale', { body: { locale: 'en' }, keepalive: true });
    await call('getRates');
    expect(fetched.mock.calls.map(([, request]) => request.keepalive)).toEqual([true, undefined]);
  });

  it('a call throws the code, the message and the rest of the body of a failure', async () => {
    answering(409, '{"code":"rate_changed","message":"La tasa cambió","quote":{"rate":"13.00"}}');
    const failure = await call('getRates').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiFailure);
    expect(failure).toMatchObject({ status: 409, code: 'rate_changed', userMessage: 'La tasa cambió' });
    expect((failure as ApiFailure).details.quote).toEqual({ rate: '13.00' });
    expect((failure as ApiFailure).message).toMatch(/^409: \{/);
  });

  it('a call knows every failure code of the api', async () => {
    for (const code of failureCodes) {
      answering(400, JSON.stringify({ code, message: 'No se pudo' }));
      expect(await call('getRates').catch((error: unknown) => error)).toMatchObject({ code });
    }
  });

  it('a call has a message for an answer that is not ours, and for none at all', async () => {
    answering(502, '<html>Bad gateway</html>');
    const strange = await call('getRates').catch((error: unknown) => error);
    expect(strange).toMatchObject({ status: 502, code: 'internal' });
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    const none = await call('getRates').catch((error: unknown) => error);
    expect(none).toMatchObject({ status: 0, code: 'offline' });
    expect(errorMessage(none)).toContain('No hay conexión');
  });

  it('a call gives up on an answer that does not come in time, and says so', async () => {
    const overdue = AbortSignal.abort(new DOMException('The operation timed out.', 'TimeoutError'));
    vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(overdue);
    vi.stubGlobal('fetch', (_address: string, { signal }: RequestInit) => Promise.reject(signal?.reason));
    const failure = await call('getRates').catch((error: unknown) => error);
    expect(failure).toMatchObject({ status: 0, code: 'timeout' });
    expect(errorMessage(failure)).toBe('Chasqui no respondió a tiempo. Revisa tu internet e intenta nuevamente.');
  });

  it('a file is given up when nothing of it comes for as long, or when it breaks off', async () => {
    vi.useFakeTimers();
    type Body = ReadableStreamController<Uint8Array<ArrayBuffer>>;
    const pulls = vi.fn<(body: Body) => Promise<void> | void>();
    vi.stubGlobal('fetch', async (_address: string, { signal }: RequestInit) => {
      const start = (body: Body) => signal?.addEventListener('abort', () => body.error());
      return new Response(new ReadableStream({ start, pull: pulls }, { highWaterMark: 0 }));
    });
    const part = new TextEncoder().encode('{}');
    const slowly = (body: Body) =>
      new Promise<void>((resolve) => setTimeout(() => resolve(body.enqueue(part)), 20_000));
    pulls
      .mockImplementationOnce(slowly)
      .mockImplementationOnce(slowly)
      .mockImplementation(() => new Promise(() => {}));
    const late = fetchFile('/api/account/data').catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(69_000);
    expect(pulls).toHaveBeenCalledTimes(3);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await late).toMatchObject({ status: 0, code: 'timeout' });
    pulls.mockImplementation((body) => body.error(new TypeError('network error')));
    expect(await fetchFile('/api/account/data').catch((error: unknown) => error)).toMatchObject({ code: 'offline' });
    pulls.mockImplementationOnce((body) => body.enqueue(part)).mockImplementation((body) => body.close());
    expect(await (await fetchFile('/api/account/data')).text()).toBe('{}');
    vi.useRealTimers();
  });

  it('a call passes on the cancellation of its caller', async () => {
    const leaving = new AbortController();
    vi.stubGlobal('fetch', (_address: string, { signal }: RequestInit) => {
      leaving.abort();
      return Promise.reject(signal?.reason);
    });
    const failure = await call('getRates', { signal: leaving.signal }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'AbortError' });
  });
});
