/** What all control pages share: calls to the control routes, status messages, periodic refresh. */

const REFRESH_MS = 2000;

export async function get<T>(path: string): Promise<T> {
  return answerOf<T>(await fetch(path));
}

export async function send<T = unknown>(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body: object = {},
): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  return answerOf<T>(await fetch(path, { method, headers, body: JSON.stringify(body) }));
}

async function answerOf<T>(response: Response): Promise<T> {
  const body = await response.json();
  if (!response.ok) throw new Error(body.message ?? `El simulador respondió ${response.status}.`);
  return body as T;
}

/** The element with this id. Throws when the page has none. */
export function byId<E extends HTMLElement = HTMLElement>(id: string): E {
  const element = document.getElementById(id);
  if (!element) throw new Error(`No #${id} on this page`);
  return element as E;
}

/** Shows a message in the status region at the top of the page. */
export function showStatus(message: string, tone: 'good' | 'bad' = 'good'): void {
  const status = byId('status');
  status.textContent = message;
  status.dataset.tone = tone;
}

function showFailure(error: unknown): void {
  showStatus(error instanceof TypeError ? 'El simulador no responde.' : (error as Error).message, 'bad');
}

/** Refreshes a page's data: now, after every action, and every two seconds while the page is visible. */
export class Refresher {
  readonly #load: () => Promise<void>;
  #refreshing: Promise<void> | null = null;
  #lost = false;

  constructor(load: () => Promise<void>) {
    this.#load = load;
    void this.now();
    setInterval(() => {
      if (!document.hidden) void this.now();
    }, REFRESH_MS);
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) void this.now();
    });
  }

  /** Never rejects: shows failures in the status region. */
  now(): Promise<void> {
    this.#refreshing ??= this.#refreshOnce().finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  /** Performs an action, shows its message and refreshes. */
  async act(message: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
      showStatus(message);
    } catch (error) {
      showFailure(error);
    }
    await this.#refreshing;
    await this.now();
  }

  async #refreshOnce(): Promise<void> {
    try {
      await this.#load();
      if (this.#lost) showStatus('');
      this.#lost = false;
    } catch (error) {
      this.#lost = true;
      showFailure(error);
    }
  }
}

/** A settings form: follows the server's values until it is edited, and again after it was saved. */
export class SettingsForm {
  readonly #form: HTMLFormElement;
  #touched = false;

  /** @param save is called on submit with the form's values. */
  constructor(id: string, save: (form: SettingsForm) => Promise<void>) {
    this.#form = byId<HTMLFormElement>(id);
    this.#form.addEventListener('input', () => {
      this.#touched = true;
    });
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      void save(this).finally(() => {
        this.#touched = false;
      });
    });
  }

  number(name: string): number {
    return (this.#input(name) as HTMLInputElement).valueAsNumber;
  }

  text(name: string): string {
    return this.#input(name).value;
  }

  checked(name: string): boolean {
    return (this.#input(name) as HTMLInputElement).checked;
  }

  show(values: Record<string, string | number | boolean>): void {
    if (this.#touched) return;
    for (const [name, value] of Object.entries(values)) {
      const input = this.#input(name);
      if (input instanceof HTMLInputElement && typeof value === 'boolean') input.checked = value;
      else input.value = String(value);
    }
  }

  #input(name: string): HTMLInputElement | HTMLSelectElement {
    return this.#form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;
  }
}

const TIME = new Intl.DateTimeFormat('es-BO', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** @param millis milliseconds since the epoch. */
export function timeText(millis: number): string {
  return TIME.format(millis);
}
