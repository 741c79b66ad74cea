import { fileURLToPath } from 'node:url';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { lingui } from '@lingui/vite-plugin';
import { type ESTree, type Plugin, parseSync, Visitor } from 'vite';

/**
 * Texts of the web app (decision 27): turns the macros into calls, reads the English catalogues, and compiles the Spanish texts where
 * they stand in the code, so that neither a Spanish catalogue nor a parser of messages is sent to browsers.
 */
export function messages(): Plugin[] {
  return [
    ...lingui({
      configPath: fileURLToPath(new URL('../lingui.config.ts', import.meta.url)),
      failOnMissing: true,
      failOnCompileError: true,
      macroTransform: { macro: { descriptorFields: 'message' } },
    }),
    {
      name: 'compiled-messages',
      enforce: 'pre',
      transform: {
        filter: { id: /\.tsx?$/, code: '/*i18n*/' },
        handler: (code, id) => ({ code: compileMessages(code, id), map: null }),
      },
    },
  ];
}

/** Replaces the texts of message descriptors in a module by their compiled form. */
export function compileMessages(code: string, file: string): string {
  const texts: ESTree.StringLiteral[] = [];
  new Visitor({
    ObjectExpression({ start, properties }) {
      if (!code.slice(0, start).trimEnd().endsWith('/*i18n*/')) return;
      for (const property of properties) {
        if (property.type !== 'Property' || property.key.type !== 'Identifier') continue;
        const { value } = property;
        if (property.key.name === 'message' && value.type === 'Literal' && typeof value.value === 'string')
          texts.push(value as ESTree.StringLiteral);
      }
    },
  }).visit(parseSync(file.replace(/\.tsx?$/, '.jsx'), code).program);
  // From the end, so that what is replaced moves nothing that comes after.
  return texts
    .toSorted((one, other) => other.start - one.start)
    .reduce(
      (text, { start, end, value }) =>
        `${text.slice(0, start)}${JSON.stringify(compileMessage(value))}${text.slice(end)}`,
      code,
    );
}
