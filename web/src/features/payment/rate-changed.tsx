import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { QuoteView } from '#core/contracts/http/rates';
import { failures } from '#core/failures';
import { formatAmount, formatBolivianos, formatRateLine } from '#core/format';
import classes from './payment.module.css';

/** The rate moved since the person saw it: both offers side by side, and nothing happens until the new one is accepted. */
export function RateChanged(props: { before: QuoteView; after: QuoteView; onAccept: () => void; onClose: () => void }) {
  const { before, after } = props;
  return (
    <Stack gap="lg" role="alert" data-testid="pay-rate-changed">
      <Text>{failures.rate_changed.message}</Text>
      <SimpleGrid cols={2} spacing="sm">
        <Side title="Antes" quote={before} quiet />
        <Side title="Ahora" quote={after} />
      </SimpleGrid>
      <Text>
        Pagas lo mismo: <span className="cq-num">{formatAmount(after.amount, after.currency)}</span>, comisión incluida.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={props.onClose}>
          Cancelar
        </Button>
        <Button onClick={props.onAccept} data-testid="pay-accept-rate">
          Aceptar y continuar
        </Button>
      </Group>
    </Stack>
  );
}

function Side({ title, quote, quiet = false }: { title: string; quote: QuoteView; quiet?: boolean }) {
  return (
    <div className={classes.side} data-now={quiet ? undefined : true}>
      <Text c="dimmed">{title}</Text>
      <Text component="div" className={`${classes.sideAmount} cq-big cq-num`} c={quiet ? 'dimmed' : undefined}>
        {formatBolivianos(quote.bs)}
      </Text>
      <Text fz="sm" className="cq-num" c={quiet ? 'dimmed' : undefined}>
        {formatRateLine(quote.rate, quote.currency)}
      </Text>
    </div>
  );
}
