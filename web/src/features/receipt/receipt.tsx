import { Anchor, Button, Container, Group, Text, Title } from '@mantine/core';
import { IconArrowLeft, IconPrinter } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import type { ReceiptView } from '#core/contracts/http/receipts';
import { formatAmount, formatBolivianos, formatRateLine } from '#core/format';
import { formatFullMoment, formatLongDay } from '../../lib/dates.ts';
import { ApiFailure, sentenceOf } from '../../lib/http.ts';
import { paths, transferPath } from '../../lib/paths.ts';
import { transferQuery } from '../../lib/transfers.ts';
import { Mark } from '../../ui/mark.tsx';
import { Page, usePageTitle } from '../../ui/page.tsx';
import { LoadError, LoadingRows } from '../../ui/states.tsx';
import { receiptQuery } from './queries.ts';
import classes from './receipt.module.css';
import { arrivalLines, markupLine, moneyLines, type ReceiptLine, standing } from './receipt-words.ts';
import { Rights } from './rights.tsx';

/** A receipt as a sheet of paper: on screen, and alone when printed. */
export function Receipt({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(receiptQuery(id));
  useFreshReceipt(id);
  if (error instanceof ApiFailure && (error.status === 404 || error.status === 400)) return <Missing />;
  return (
    <Container size={760} py={{ base: 'lg', sm: 'xl' }} px={{ base: 'sm', sm: 'lg' }}>
      <Group justify="space-between" mb="md" className="cq-screen">
        <Button
          component={Link}
          to={transferPath(id)}
          variant="subtle"
          leftSection={<IconArrowLeft size={18} aria-hidden />}
        >
          Volver al envío
        </Button>
        {data && (
          <Button
            leftSection={<IconPrinter size={18} aria-hidden />}
            onClick={() => window.print()}
            data-testid="receipt-print"
          >
            Imprimir o guardar PDF
          </Button>
        )}
      </Group>
      {error && !data && <LoadError sentence={sentenceOf(error)} retry={refetch} />}
      {!error && !data && <LoadingRows rows={6} height={64} />}
      {data && <Sheet receipt={data} />}
    </Container>
  );
}

/** The transfer's own news, by push, say that its receipt changed. */
function useFreshReceipt(id: string) {
  const queryClient = useQueryClient();
  const { data } = useQuery({ ...transferQuery(id), retry: false });
  const version = data?.version;
  useEffect(() => {
    if (version !== undefined) void queryClient.invalidateQueries({ queryKey: receiptQuery(id).queryKey });
  }, [version, id, queryClient]);
}

function Missing() {
  return (
    <Page
      title="No encontramos este recibo"
      lead="Un envío tiene recibo desde que está pagado, y solo lo ve quien lo hizo."
      size={720}
    >
      <div>
        <Button component={Link} to={paths.dashboard}>
          Ir a Mi Panel
        </Button>
      </div>
    </Page>
  );
}

function Sheet({ receipt }: { receipt: ReceiptView }) {
  const { currency, recipient, sender, card } = receipt;
  usePageTitle(`Recibo ${receipt.number}`);
  return (
    <article className={classes.sheet} aria-labelledby="receipt-title" data-testid="receipt" data-state={receipt.state}>
      <div className="cq-band" aria-hidden />
      <header className={classes.head}>
        <div className={classes.brand}>
          <Mark size={34} />
          <span className="cq-big">Chasqui</span>
        </div>
        <div>
          <Title order={1} id="receipt-title" fz="h2">
            Recibo de envío
          </Title>
          <Text className="cq-num" data-testid="receipt-number">
            N.º {receipt.number}
          </Text>
        </div>
      </header>
      <div className={classes.standing} data-testid="receipt-standing">
        {standing(receipt)}
      </div>
      <div className={classes.parties}>
        <Party title="Remitente" lines={[sender.name, sender.email]} />
        <Party
          title="Destinatario"
          lines={
            recipient
              ? [recipient.name, `CI ${recipient.ci}`, `${recipient.phone} · ${recipient.city}`]
              : ['Todavía sin elegir']
          }
        />
        {recipient && (
          <Party
            title="Se deposita en"
            lines={[recipient.bankName, `Cuenta terminada en ${recipient.accountEnding}`]}
          />
        )}
      </div>
      <Lines
        title="Lo que pagas"
        lines={moneyLines(receipt)}
        total={['Total pagado', formatAmount(receipt.total, currency)]}
      />
      <Lines
        title="Cambio"
        lines={[
          ['Tasa de cambio', formatRateLine(receipt.rate, currency)],
          ['Margen sobre el mercado', markupLine(receipt)],
        ]}
      />
      <Lines
        title="Lo que se recibe"
        lines={arrivalLines(receipt)}
        total={['Total para el destinatario', formatBolivianos(receipt.bolivianos)]}
      />
      <Lines
        title="Fechas y referencias"
        lines={[
          ['Pagado', formatFullMoment(receipt.paidAt)],
          ...(card ? [['Tarjeta', `${brandOf(card.brand)} •••• ${card.last4}`] as const] : []),
          [
            'Disponible en Bolivia',
            receipt.completedAt
              ? formatFullMoment(receipt.completedAt)
              : `hacia el ${formatLongDay(receipt.estimatedDelivery)}`,
          ],
          ['Referencia del banco', receipt.payoutReference ?? 'Se asigna al depositar'],
          ['Identificador', receipt.id],
        ]}
      />
      <Rights receipt={receipt} />
      <Text fz="sm" c="dimmed" mt="lg">
        Las cifras son las que aceptaste al pagar. Más detalle en{' '}
        <Anchor component={Link} to={paths.terms} underline="always">
          Términos de Servicio
        </Anchor>
        .
      </Text>
    </article>
  );
}

const brandOf = (brand: string) => brand.charAt(0).toUpperCase() + brand.slice(1);

function Party({ title, lines }: { title: string; lines: readonly string[] }) {
  return (
    <section>
      <h2 className={classes.small}>{title}</h2>
      {lines.map((line, index) => (
        <Text key={line} fw={index === 0 ? 600 : undefined} className={classes.breaks}>
          {line}
        </Text>
      ))}
    </section>
  );
}

function Lines({ title, lines, total }: { title: string; lines: readonly ReceiptLine[]; total?: ReceiptLine }) {
  return (
    <section className={classes.part}>
      <h2 className={classes.small}>{title}</h2>
      <dl className={classes.lines}>
        {lines.map(([label, value]) => (
          <div key={label} className={classes.line}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {total && (
          <div className={`${classes.line} ${classes.total}`}>
            <dt>{total[0]}</dt>
            <dd data-testid={`receipt-total-${title === 'Lo que pagas' ? 'paid' : 'received'}`}>{total[1]}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}
