/**
 * Replaces the clock that JavaScript reads: `Date.now()` and `new Date()` say what `now` returns, in ms since the epoch. Timers run on as
 * they are. Returns what puts the machine's clock back.
 */
export function shiftDate(now: () => number): () => void {
  const machineDate = globalThis.Date;
  const machineNow = machineDate.now;
  // A proxy, not a subclass: dates that were made before, or by the runtime itself, remain instances of it.
  const shifted: DateConstructor = new Proxy(machineDate, {
    construct: (target, values, made) =>
      Reflect.construct(target, values.length === 0 ? [now()] : values, made === shifted ? target : made),
    apply: () => new machineDate(now()).toString(),
  });
  machineDate.now = now;
  machineDate.prototype.constructor = shifted;
  globalThis.Date = shifted;
  return () => {
    machineDate.now = machineNow;
    machineDate.prototype.constructor = machineDate;
    globalThis.Date = machineDate;
  };
}
