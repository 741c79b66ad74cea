import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { afterEach, beforeEach } from 'vitest';

/** A mail server that stores received messages, or rejects them. */
export class SmtpFixture {
  received: { to: string[]; raw: string }[] = [];
  /** Status codes for rejecting the next recipients, one each. */
  refusals: number[] = [];
  /** Addresses that are always rejected, with their status codes. */
  refused = new Map<string, number>();
  /** Addresses whose e-mails are accepted only after a promise resolves. */
  slow = new Map<string, Promise<void>>();
  /** Number of opened connections. */
  connections = 0;
  /** Enhanced status code (RFC 3463) that a rejection starts with. */
  refusalStatus = '';
  /** Its URL. */
  url = '';
  #server: SMTPServer | undefined;

  /** Starts it again, with nothing received. */
  async open(): Promise<void> {
    this.received = [];
    this.refusals = [];
    this.refused = new Map();
    this.slow = new Map();
    this.connections = 0;
    this.refusalStatus = '';
    this.#server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      logger: false,
      // Senders keep their connections open.
      closeTimeout: 1,
      onConnect: (_session, done) => {
        this.connections += 1;
        done();
      },
      onRcptTo: ({ address }, _session, done) => done(this.#refusal(address)),
      onData: (stream, session, done) => {
        text(stream).then(async (raw) => {
          for (const { address } of session.envelope.rcptTo) await this.slow.get(address);
          this.received.push({ to: session.envelope.rcptTo.map((one) => one.address), raw });
          done();
        }, done);
      },
    });
    const listening = this.#server.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    this.url = `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => (this.#server ? this.#server.close(resolve) : resolve()));
  }

  /** Rejects like real servers, which often include the recipient. */
  #refusal(address: string): Error | null {
    const responseCode = this.refused.get(address) ?? this.refusals.shift();
    if (responseCode === undefined) return null;
    return Object.assign(new Error(`${this.refusalStatus}${address} is not welcome`), { responseCode });
  }
}

/** A mail server for the tests of a file, new for each; call it at its top level. */
export function useSmtpServer(): SmtpFixture {
  const fixture = new SmtpFixture();
  beforeEach(() => fixture.open());
  afterEach(() => fixture.close());
  return fixture;
}
