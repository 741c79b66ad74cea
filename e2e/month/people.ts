import { setTimeout as pause } from 'node:timers/promises';
import { endpoints } from '#core/contracts/http/endpoints';
import { type Answer, ApiClient, emailedCode, type Product, sampleRecipient } from '../api-client.ts';

/** Maximum attempts on a busy server. */
const maxTries = 10;

interface Account {
  readonly email: string;
  readonly password: string;
}

/** A person who signs in again when the session has ended or re-authentication is required, as happens over a month. */
export class Person extends ApiClient {
  readonly #account: Account;
  #signingIn: Promise<void> | undefined;

  constructor(url: () => string, account: Account) {
    super(url);
    this.#account = account;
  }

  override async request(
    method: string,
    path: string,
    init: { body?: string; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const answer = await this.#patiently(method, path, init);
    const isAsked = answer.status === 401 || answer.body?.code === 'second_factor_stale';
    if (!isAsked || path === endpoints.login.path) return answer;
    this.#signingIn ??= this.#signIn().finally(() => {
      this.#signingIn = undefined;
    });
    await this.#signingIn;
    return this.#patiently(method, path, init);
  }

  /** On a machine that is busy with other things a server may say that it cannot do it now, and has done nothing. */
  async #patiently(...[method, path, init]: Parameters<ApiClient['request']>): Promise<Answer> {
    for (let tries = 1; ; tries += 1) {
      const answer = await super.request(method, path, init);
      if (answer.status !== 503 || tries === maxTries) return answer;
      await pause(tries * 200);
    }
  }

  async #signIn(): Promise<void> {
    const { email, password } = this.#account;
    await this.call(endpoints.login, { body: { email, password, remember: true } });
  }
}

/** A sender with a recipient. */
export interface Sender {
  readonly person: Person;
  readonly recipientId: string;
}

/** A sender registers and adds a recipient; `number` tells them apart. */
export async function registerSender(app: Product, number: number): Promise<Sender> {
  const email = `remitente-${number}@example.com`;
  const password = 'una-clave-larga';
  const person = new Person(() => app.url(), { email, password });
  const locale = number % 3 === 0 ? 'en' : 'es';
  await person.call(endpoints.register, {
    body: { name: `Remitente Número ${nameOf(number)}`, email, password, locale, acceptedTerms: true },
  });
  await person.call(endpoints.proveEmail, { body: { code: await emailedCode(app, email) } });
  return { person, recipientId: await addRecipient(person, number) };
}

/** Adds a recipient with a unique account; returns its id. */
export async function addRecipient(person: Person, number: number): Promise<string> {
  const bankAccount = String(10_000_000_000_000 + number);
  const body = { ...sampleRecipient, saveAnyway: true, name: `Familia ${nameOf(number)}`, bankAccount };
  return (await person.call(endpoints.createRecipient, { body })).id;
}

/** A name in letters, as a bank wants it. */
function nameOf(number: number): string {
  return String(number).replace(/\d/g, (digit) => 'ABCDEFGHIJ'[Number(digit)] as string);
}
