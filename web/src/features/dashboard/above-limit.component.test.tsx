import { expect, test } from 'vitest';
import { installFakeApi } from '../../testing/fake-api.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { emptySummary, sampleIdentity, waitingCheck } from '../../testing/sample-panel.ts';
import { quoteFor } from '../../testing/sample-rates.ts';
import AboveLimit from './above-limit.tsx';

const api = installFakeApi();

test('who waits for a review of what they sent is not asked for it once more', async () => {
  const tiers = emptySummary.tiers.map((one) => (one.tier === 'email' ? { ...one, payment: '50.00' } : one));
  api.answer({
    dashboard: () => ({ ...emptySummary, tiers }),
    getIdentity: () => ({ ...sampleIdentity, identity: waitingCheck }),
  });
  const { screen } = await renderApp([
    { path: '/', element: <AboveLimit quote={quoteFor({ amount: '100', currency: 'USD' })} /> },
  ]);
  await expect
    .element(screen.getByTestId('send-above-limit'))
    .toMatchTextContent(
      /hasta \$\s50,00 por envío\. Estamos revisando lo que enviaste para verificarte\.Ver mis límites$/,
    );
});
