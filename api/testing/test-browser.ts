/** An HTTP answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at answers of every shape.
  readonly body: any;
}

/** A browser as the api sees one: it keeps its cookie and names its origin. */
export class TestBrowser {
  readonly #url: string;
  /** The session's cookie, as a Cookie header names it. */
  cookie = '';
  /** What lets the api know this browser again after its sessions. */
  deviceCookie = '';
  /** Of a sign-in that waits for its second step. */
  pendingCookie = '';
  /** The cookie of a passkey challenge. */
  challengeCookie = '';

  constructor(url: string) {
    this.#url = url;
  }

  /** A call with a JSON body, from our own page. */
  send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    const text = body === undefined ? undefined : JSON.stringify(body);
    return this.request(method, path, { ...json, origin: this.#url, ...headers }, text);
  }

  /** Any request at all, with nothing added but the cookie. */
  async request(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: string | Buffer,
  ): Promise<Answer> {
    const response = await fetch(`${this.#url}${path}`, {
      method,
      headers: { ...this.#cookies(), ...headers },
      ...(body === undefined ? {} : { body: body as BodyInit }),
      redirect: 'manual',
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      if (/^(__Host-)?chasqui_session=/.test(pair)) this.cookie = pair;
      if (/^(__Host-)?chasqui_device=/.test(pair)) this.deviceCookie = pair;
      if (/^(__Host-)?chasqui_sign_in=/.test(pair)) this.pendingCookie = pair;
      if (/^(__Host-)?chasqui_passkey=/.test(pair)) this.challengeCookie = pair;
    }
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('application/json');
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== '' ? JSON.parse(text) : text,
    };
  }

  #cookies(): Record<string, string> {
    const cookies = [this.cookie, this.deviceCookie, this.pendingCookie, this.challengeCookie].filter(
      (cookie) => cookie,
    );
    return cookies.length > 0 ? { cookie: cookies.join('; ') } : {};
  }
}
