import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor } from '@mantine/core';
import { Link, type MetaFunction } from 'react-router';
import { Comparison, RateUpdate } from '../features/comparison/comparison.tsx';
import { BankBoard } from '../features/rates/bank-board.tsx';
import { useQuestion } from '../features/shared/sending-amount.tsx';
import { paths } from '../lib/paths.ts';
import { publicMeta } from '../lib/public-meta.ts';
import { Page } from '../ui/page.tsx';

export const meta: MetaFunction = () =>
  publicMeta('rateTester', {
    title: t`Comparación de tasas`,
    description: t`Cuántos bolivianos llegan hoy a Bolivia con Chasqui y con otros servicios, por lo mismo que pagas.`,
  });

/** The rate comparison tester: ours beside the others, for any amount. */
export default function RateTesterPage() {
  const [question, setQuestion] = useQuestion();
  return (
    <Page
      title={t`Comparación de tasas`}
      lead={t`Lo que llega a Bolivia con cada servicio, por lo mismo que pagas.`}
      aside={
        <Anchor component={Link} to={paths.scraper} fw={600}>
          <Trans>Ver precios de otros servicios</Trans>
        </Anchor>
      }
    >
      <Comparison question={question} onChange={setQuestion} />
      <RateUpdate />
      <BankBoard question={question} />
    </Page>
  );
}
