import { prettyFactory } from 'pino-pretty';

const isTerminal = process.stdout.isTTY === true;
const pretty = prettyFactory({
  colorize: isTerminal,
  singleLine: true,
  translateTime: 'HH:MM:ss',
  ignore: 'pid,hostname,process',
});
const nameWidth = 8;

// A closed terminal must not keep the shutdown from running to its end.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

/** A line of the supervisor itself. */
export function say(line: string): void {
  console.log(line);
}

/** Prints a service's lines under its name, its JSON log entries in readable form. */
export function printer(name: string): (line: string) => void {
  const prefix = `${name.padEnd(nameWidth)}│ `;
  return (line) => {
    const text = line.startsWith('{') ? pretty(line).trimEnd() : line;
    for (const part of text.split('\n')) console.log(prefix + part);
  };
}
