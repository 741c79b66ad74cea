import type { Plugin } from 'vite';
import { endpoints } from '../core/contracts/http/endpoints.ts';
import { liveEvents } from '../core/contracts/live.ts';

/** Stands for the schema that a call does or does not have. */
const has = (schema: unknown) => schema !== undefined;

/** What a browser needs of each contract to speak it: addresses and names. */
const schemaFree: Record<string, string> = {
  '#core/contracts/http/endpoints': `export const endpoints = ${JSON.stringify(
    Object.fromEntries(
      Object.entries(endpoints).map(([name, { method, path, ...rest }]) => [
        name,
        { method, path, response: 'response' in rest && has(rest.response) },
      ]),
    ),
  )};`,
  '#core/contracts/live': `export const liveEvents = ${JSON.stringify(
    Object.fromEntries(Object.keys(liveEvents).map((name) => [name, true])),
  )};`,
};

const prefix = '\0schema-free:';
const schemaUse = /\bendpoints\.\w+\.(body|query|params)\b/;

/**
 * Keeps the schemas of the contracts, and the library that reads them, out of the first load: to call the api a page needs
 * methods and paths, which are worked out while building. A form that checks what was typed takes its schema from the
 * contract's own file ("#core/contracts/http/auth") and brings the library along when it is opened; the build refuses a page
 * that looks for one here.
 */
export function schemaFreeContracts(): Plugin {
  return {
    name: 'schema-free-contracts',
    enforce: 'pre',
    resolveId(source, importer) {
      // Without "#", which would end the address that the development server makes of it.
      return source in schemaFree && importer?.includes('/web/src/') ? prefix + source.slice(1) : null;
    },
    load: (id) => (id.startsWith(prefix) ? (schemaFree[`#${id.slice(prefix.length)}`] ?? null) : null),
    transform: {
      // After the types are gone: those may speak of schemas.
      order: 'post',
      handler(code, id) {
        const use = id.includes('/web/src/') && code.includes('#core/contracts/http/endpoints') && schemaUse.exec(code);
        if (use) this.error(`${use[0]}: in the browser, take the schema from the contract's own file.`);
      },
    },
  };
}
