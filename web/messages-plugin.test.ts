import { transform } from '@lingui/native-tools';
import { expect, test } from 'vitest';
import { compileMessages } from './messages-plugin.ts';

const compiled = async (code: string) =>
  compileMessages(
    (await transform(code, 'a.tsx', { macro: { descriptorFields: 'message' }, sourceMaps: false })).code,
    'a.tsx',
  );

test('texts are compiled where they stand, and nothing else is', async () => {
  const code = await compiled(`
    import { t } from '@lingui/core/macro';
    import { Plural, Trans } from '@lingui/react/macro';
    export const log = { message: 'as it was' };
    export const hello = (name: string) => t\`Hola \${name}\`;
    export const View = ({ count }: { count: number }) => (
      <p title="{as it was}"><Trans>Sí, <b>ya</b></Trans><Plural value={count} one="# envío" other="# envíos" /></p>
    );
  `);
  expect(code).toContain('message: ["Hola ",["name"]]');
  expect(code).toContain('message: ["Sí, <0>ya</0>"]');
  expect(code).toContain('[["count","plural",{"one":["#"," envío"],"other":["#"," envíos"]}]]');
  expect(code).toContain("message: 'as it was'");
  expect(code).toContain('title="{as it was}"');
});
