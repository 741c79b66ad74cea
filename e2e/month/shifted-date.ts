/*
 * Loaded into every process of the product before anything else (`node --import`): from then on the clock that JavaScript reads is as far
 * from the machine's as the file `SHIFTED_DATE_FILE` says, which may change at any moment.
 */
import { openSync, readSync } from 'node:fs';
import { shiftDate } from '../shift-date.ts';

const file = openSync(process.env.SHIFTED_DATE_FILE ?? '', 'r');
const bytes = Buffer.alloc(8);
const machine = Date.now;

shiftDate(() => {
  readSync(file, bytes, 0, 8, 0);
  return machine() + bytes.readDoubleBE(0);
});
