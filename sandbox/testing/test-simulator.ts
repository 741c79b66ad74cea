/**
 * One simulator in the test's own process: on a free port, with its state in memory, and with faults decided per
 * request.
 */
import type { RequestHandler } from 'express';
import express from 'express';
import { type ContextOptions, createContext, type SandboxContext } from '../context.ts';
import { addFault, clearFaults } from '../server/fault-injection.ts';
import { type ApiCall, faultSchema, type Interceptor } from '../server/fault-schema.ts';
import { listen, type RunningServer } from '../server/http-server.ts';

export type Fault = NonNullable<ReturnType<Interceptor>>;
/** @param index of the request since the start or the last reset, from 0. */
export type FaultForCall = (call: ApiCall, index: number) => Fault | undefined;

export abstract class TestSimulator {
  /** Every API request since the start or the last reset, oldest first, including those that a fault ended. */
  readonly calls: ApiCall[] = [];
  readonly context: SandboxContext;
  #faultForCall: FaultForCall | undefined;
  #server: RunningServer | undefined;

  protected constructor(options: ContextOptions) {
    this.context = createContext(options);
    this.context.interceptor = (call) => {
      this.calls.push(call);
      return this.#faultForCall?.(call, this.calls.length - 1);
    };
  }

  /** http://127.0.0.1:<port>, without a trailing slash. */
  get origin(): string {
    return `http://127.0.0.1:${this.#server?.port}`;
  }

  /**
   * Decides from now on which requests fail and how; undefined fails none. Takes precedence over `failNext`. Stripe's
   * SDK itself repeats a request once whose connection was closed: to make a call fail with `drop`, decide by
   * idempotency key, not by index.
   */
  failCalls(decide: FaultForCall | undefined): void {
    this.#faultForCall = decide;
  }

  /** Fails the next request whose method and path (a regular expression) match, or the next `times` requests. */
  failNext(fault: Fault): void {
    addFault(this.context, faultSchema.parse(fault));
  }

  /** Ends `failCalls` and the rest of `failNext`. */
  clearFaults(): void {
    this.#faultForCall = undefined;
    clearFaults(this.context);
  }

  /** Advances the sandbox clock; what becomes due happens soon after. */
  advanceClock(seconds: number): void {
    this.context.clock.advance(seconds);
    this.changed();
  }

  /** Forgets objects, calls and faults. */
  reset(): void {
    this.context.storage.transaction(() => {
      this.context.storage.clear();
      this.prepare();
    });
    this.calls.length = 0;
    this.#faultForCall = undefined;
  }

  async close(): Promise<void> {
    await this.#server?.close(() => this.stop());
    this.context.storage.close();
  }

  /** Called when something may have become due. */
  protected changed(): void {}
  /** Called in the transaction of a reset. */
  protected prepare(): void {}
  /** Called while closing, before open connections are cut. */
  protected async stop(): Promise<void> {}

  protected async serve(path: string, router: RequestHandler): Promise<void> {
    const app = express();
    app.use(path, router);
    this.#server = await listen(app, 0, '127.0.0.1');
    this.context.publicUrl ||= this.origin;
  }
}
