import { Anchor } from '@mantine/core';
import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import { BankBoard } from '../features/bank-board/bank-board.tsx';
import { Comparison } from '../features/comparison/comparison.tsx';
import { RateUpdate } from '../features/comparison/rate-update.tsx';
import { noteInteraction } from '../lib/first-interaction.ts';
import { paths } from '../lib/paths.ts';
import { Page } from '../ui/page.tsx';

/** The rate comparison tester: ours beside the others, for any amount. */
export function Component() {
  // Also without any interaction, prices are live.
  useEffect(noteInteraction, []);
  return (
    <Page
      title="Comparación de tasas"
      lead="Lo que llega a Bolivia con cada servicio, por lo mismo que pagas."
      aside={
        <Anchor component={Link} to={paths.scraper} fw={600}>
          Ver precios de otros servicios
        </Anchor>
      }
    >
      <Comparison />
      <RateUpdate />
      <BankBoard />
    </Page>
  );
}
