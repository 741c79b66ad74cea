/*
 * Loaded into every process of the product before anything else (`node --import`): from then on the clock that JavaScript reads is as far
 * from the machine's as the file `SHIFTED_DATE_FILE` says, which may change at any moment. Timers run on as they are.
 */
import { openSync, readSync } from 'node:fs';

const file = openSync(process.env.SHIFTED_DATE_FILE ?? '', 'r');
const bytes = Buffer.alloc(8);
const machine = Date.now;

function now(): number {
  readSync(file, bytes, 0, 8, 0);
  return machine() + bytes.readDoubleBE(0);
}

// Not a subclass: dates that were made before, or by the runtime itself, remain instances of it.
const shifted: DateConstructor = new Proxy(Date, {
  construct: (target, values, made) =>
    Reflect.construct(target, values.length === 0 ? [now()] : values, made === shifted ? target : made),
  apply: () => new Date(now()).toString(),
});
Date.now = now;
Date.prototype.constructor = shifted;
globalThis.Date = shifted;
