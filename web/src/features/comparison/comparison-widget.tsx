import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Card, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { useComparison } from '../../data/comparison.ts';
import { type QuoteQuestion, usePaidAmount } from '../../data/rates.ts';
import { paths } from '../../lib/paths.ts';
import { Money } from '../../ui/figures.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { SendingAmount } from '../shared/sending-amount.tsx';
import { Claim, NoAmount, questionProblem } from './comparison.tsx';
import { comparisonFailed, WidgetRowsLoading } from './comparison-messages.tsx';
import { ComparisonRows } from './comparison-rows.tsx';

/** The comparison for what is typed into the form, among other panels. */
export function ComparisonWidget({
  question,
  onChange,
}: {
  question: QuoteQuestion;
  /** Null where the form stands on the same page: the amount is typed there. */
  onChange: ((next: QuoteQuestion) => void) | null;
}) {
  const { quote, paid } = usePaidAmount(question);
  const problem = questionProblem(question);
  return (
    <Card component="section" aria-labelledby="comparison-widget-title" data-testid="comparison-widget">
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2} id="comparison-widget-title">
          <Trans>Cuánto llega con cada servicio</Trans>
        </Title>
        <Anchor component={Link} to={paths.rateTester} fw={600} data-testid="comparison-more">
          <Trans>Ver la comparación completa</Trans>
        </Anchor>
      </Group>
      <Stack gap="sm">
        {onChange && (
          <SendingAmount
            question={question}
            onChange={onChange}
            quote={quote}
            payLabel={t`Pagas en total`}
            problem={problem}
            layout="beside"
            testid="comparison"
          />
        )}
        <QueryView
          query={useComparison(paid, question.currency)}
          loading={question.amount !== '' && !problem ? <WidgetRowsLoading /> : <NoAmount />}
          failureMessage={() => comparisonFailed()}
        >
          {(data) => (
            <>
              {!(onChange && question.side !== 'receive') && (
                <Text c="dimmed">
                  <Trans>
                    Si pagas <Money amount={data.amount} currency={data.currency} /> en total, comisión incluida.
                  </Trans>
                </Text>
              )}
              <Claim view={data} />
              <ComparisonRows view={data} compact />
            </>
          )}
        </QueryView>
      </Stack>
    </Card>
  );
}
