import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Badge, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconRefresh, IconTrendingUp } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { ComparisonView } from '#core/contracts/http/comparison';
import { claimText, refreshComparison, useComparison } from '../../data/comparison.ts';
import { useOptionalQuery } from '../../data/optional-query.ts';
import { paymentConfigQuery } from '../../data/payments.ts';
import { type QuoteQuestion, usePaidAmount } from '../../data/rates.ts';
import { useSession } from '../../data/session.ts';
import { ApiFailure, call } from '../../lib/http.ts';
import { malformedAmount } from '../../lib/sending-draft.ts';
import { useSingleMutation } from '../../lib/single-mutation.ts';
import { Money } from '../../ui/figures.tsx';
import { useIsDesktop } from '../../ui/hooks.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { EmptyState, LoadingRows, Updating } from '../../ui/states.tsx';
import { SendingAmount } from '../shared/sending-amount.tsx';
import classes from './comparison.module.css';
import { comparedAmountProblem, comparisonFailed, updateFailed, updateMessage } from './comparison-messages.tsx';
import { ComparisonRows } from './comparison-rows.tsx';

/** Ours and five competitors. */
const rowCount = 6;

/** Ask with an amount and a currency; see what arrives with each service for the same total paid. */
export function Comparison({
  question,
  onChange,
}: {
  question: QuoteQuestion;
  onChange: (next: QuoteQuestion) => void;
}) {
  const { quote, paid } = usePaidAmount(question);
  const problem = questionProblem(question);
  const query = useComparison(paid, question.currency);
  const wide = useIsDesktop();
  return (
    <Card component="section" aria-labelledby="comparison-title">
      <Stack>
        <Title order={2} id="comparison-title">
          <Trans>Cuánto llega con cada servicio</Trans>
        </Title>
        <SendingAmount
          question={question}
          onChange={onChange}
          quote={quote}
          payLabel={t`Pagas en total`}
          problem={problem}
          layout="beside"
          testid="comparison"
        />
        <QueryView
          query={query}
          loading={
            question.amount !== '' && !problem ? <LoadingRows rows={rowCount} height={wide ? 56 : 132} /> : <NoAmount />
          }
          failureMessage={() => comparisonFailed()}
          showsRefetchFailure
        >
          {(view) => (
            <Updating when={query.isPlaceholderData}>
              <Ranking view={view} />
            </Updating>
          )}
        </QueryView>
      </Stack>
    </Card>
  );
}

/** What is wrong with the typed amount, or null. */
export const questionProblem = ({ amount, side }: QuoteQuestion): string | null =>
  side === 'receive' ? malformedAmount(amount) : comparedAmountProblem(amount);

/** Nothing is typed that could be compared. */
export function NoAmount() {
  return (
    <EmptyState icon={<IconTrendingUp size={32} stroke={1.5} aria-hidden />}>
      <Trans>Escribe un monto para comparar</Trans>
    </EmptyState>
  );
}

function Ranking({ view }: { view: ComparisonView }) {
  return (
    <Stack gap="sm">
      <Claim view={view} />
      <Text c="dimmed" aria-live="polite">
        <Trans>
          Ordenado por los bolivianos que llegan si pagas <Money amount={view.amount} currency={view.currency} /> en
          total, comisión incluida.
        </Trans>
      </Text>
      <ComparisonRows view={view} />
    </Stack>
  );
}

/** The claim that we are better; nothing while it cannot be proved. */
export function Claim({ view }: { view: ComparisonView }) {
  const claim = claimText(view);
  if (!claim) return null;
  return (
    <div className={classes.claim} data-testid="comparison-claim">
      <IconTrendingUp size={22} stroke={1.8} aria-hidden />
      <span>{claim}</span>
    </div>
  );
}

/** When rates are updated; for admins also the way to have it done now, and for everybody signed in while nothing is charged. */
export function RateUpdate() {
  const user = useSession().data?.user;
  const mode = useOptionalQuery(paymentConfigQuery)?.mode ?? 'live';
  return (
    <Stack gap="sm">
      <Text c="dimmed">
        <Trans>Las tasas se actualizan automáticamente cada 2 horas.</Trans>
      </Text>
      {user && (user.role === 'admin' || mode !== 'live') && <ForcedUpdate />}
    </Stack>
  );
}

function ForcedUpdate() {
  const queryClient = useQueryClient();
  const update = useSingleMutation({
    mutationFn: () => call('updateRates', { body: {} }),
    onSuccess: () => refreshComparison(queryClient),
  });
  return (
    <Card padding="md">
      <Group justify="space-between">
        <Group gap="xs">
          <Badge id="rate-update-audience" size="lg" radius="sm" fw={600} variant="light" color="sun">
            <Trans>Solo dev</Trans>
          </Badge>
          <Text>
            <Trans>Consultar todas las fuentes ahora</Trans>
          </Text>
        </Group>
        <Button
          variant="default"
          leftSection={<IconRefresh size={18} aria-hidden />}
          loading={update.isPending}
          onClick={() => update.mutate()}
          aria-describedby="rate-update-audience"
          data-testid="rate-update"
        >
          <Trans>Actualizar tasas</Trans>
        </Button>
      </Group>
      {/* Always there, so that a screen reader announces what comes into it. */}
      <div aria-live="polite" data-testid="rate-update-result">
        {update.isSuccess && <Outcome good={update.data.updated > 0} text={updateMessage(update.data)} />}
        {update.error && <Outcome good={false} text={failureText(update.error)} />}
      </div>
    </Card>
  );
}

function Outcome({ good, text }: { good: boolean; text: string }) {
  return (
    <Alert
      mt="sm"
      color={good ? 'green' : 'red'}
      icon={good ? <IconCircleCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
    >
      {text}
    </Alert>
  );
}

/** The message of a failed update; who asked too often is also told to wait. */
const failureText = (error: Error) =>
  error instanceof ApiFailure && error.code === 'too_many_requests'
    ? `${updateFailed()} ${error.userMessage}`
    : updateFailed();
