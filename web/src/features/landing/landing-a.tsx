import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Container, Group, Stack, Text, Title } from '@mantine/core';
import { IconEyeCheck, IconHeartHandshake, IconLock, IconReceipt2, IconTrendingUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { RateBoard } from '#core/contracts/http/rates';
import { sendCurrencies } from '#core/money/money';
import { claimQuery, claimText } from '../../data/comparison.ts';
import { useOptionalQuery } from '../../data/optional-query.ts';
import { ratesQuery } from '../../data/rates.ts';
import { failureMessages } from '../../lib/failure-messages.ts';
import { formatRateLine } from '../../lib/format/money.ts';
import { formatCount } from '../../lib/format/numbers.ts';
import { paths, signupState } from '../../lib/paths.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { usePageTitle } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { FirstFigure } from '../shared/first-figure.tsx';
import classes from './landing-a.module.css';
import { Faq, Section } from './section.tsx';

/** Below everything else, and known only when the page is there. */
const WhoRunsIt = lazy(() => import('./who-runs-it.tsx'));

const banks = ['BNB', 'Mercantil Santa Cruz', 'BISA', 'BCP', 'Unión', 'Económico', 'Ganadero', 'FIE', 'Sol', 'Prodem'];

/** Landing page A: what Chasqui does, what arrives, who uses it, what people ask. */
export function LandingA({ calculator }: { calculator: ReactNode }) {
  usePageTitle(t`Envía dinero a Bolivia`);
  return (
    <>
      <Hero />
      <Reasons />
      <Section
        id="calculator"
        title={t`Calcula tu envío`}
        lead={
          <Trans>
            Escribe cuánto envías: ves lo que llega, con la comisión y la tasa a la vista.{' '}
            <Anchor component={Link} to={paths.dashboard} fz="lg" fw={600} data-testid="home-analysis">
              Acceder a análisis
            </Anchor>
          </Trans>
        }
      >
        {calculator}
      </Section>
      <Community />
      <Section
        id="faq"
        title={t`Preguntas frecuentes`}
        layout="beside"
        lead={
          <Trans>
            ¿Buscas otra cosa? Está en{' '}
            <Anchor component={Link} to={paths.help} fz="lg" fw={600}>
              Ayuda
            </Anchor>
            .
          </Trans>
        }
      >
        <Faq />
      </Section>
      <LazyPart missing={null}>
        <WhoRunsIt />
      </LazyPart>
      <Closing />
    </>
  );
}

function Hero() {
  return (
    <Container size={1180} px={{ base: 'md', sm: 'lg' }} py={{ base: 40, md: 72 }}>
      <div className={classes.hero}>
        <Stack gap="lg" align="flex-start">
          <Title order={1} className={classes.title}>
            <Trans>
              Tu dinero llega a Bolivia.
              <br />
              Tú ves cada paso.
            </Trans>
          </Title>
          <Text fz="xl" maw={520}>
            <Trans>
              Pagas con tu tarjeta en dólares o euros y tu familia recibe bolivianos en su banco o en su billetera
              móvil.
            </Trans>
          </Text>
          <Group gap="lg">
            <Button component={Link} to={paths.login} state={signupState} size="lg" data-testid="home-first-transfer">
              <Trans>Hacer mi primer envío ahora</Trans>
            </Button>
            <Anchor component={Link} to={paths.homeCalculator} fw={600} data-testid="home-calculate">
              <Trans>Calcular cuánto llega</Trans>
            </Anchor>
          </Group>
          <ul className={classes.proofs}>
            <li>
              <Trans>Registrarte toma menos de 2 minutos</Trans>
            </li>
            <li>
              <Trans>Tu tarjeta se cobra solo si el envío se aprueba</Trans>
            </li>
            <li>
              <Trans>Todo viaja cifrado, como en tu banco</Trans>
            </li>
          </ul>
        </Stack>
        <RateCard />
      </div>
    </Container>
  );
}

const reasons = [
  {
    Icon: IconReceipt2,
    title: msg`Sin costos escondidos`,
    text: msg`La tasa, la comisión y los bolivianos que llegan, en una sola cuenta. Si la tasa cambia antes de pagar, te preguntamos otra vez.`,
  },
  {
    Icon: IconLock,
    title: msg`Primero se revisa, después se cobra`,
    text: msg`Al pagar, el monto se reserva en tu tarjeta. Una persona revisa el envío; si lo rechaza, no se cobra nada.`,
  },
  {
    Icon: IconEyeCheck,
    title: msg`Lo sigues en vivo, 24/7`,
    text: msg`Ves tu envío pasar de EN PROCESO a Completado sin recargar la página, a cualquier hora.`,
  },
  {
    Icon: IconHeartHandshake,
    title: msg`Asesoría sin compromiso`,
    text: msg`Te ayudamos en español por chat o WhatsApp a elegir cómo y cuándo enviar.`,
  },
] as const;

function Reasons() {
  const data = useOptionalQuery(claimQuery({ amount: '100', currency: 'USD' })) ?? null;
  const claim = claimText({ claimPercent: data }, 'elsewhere');
  return (
    <Section
      title={t`Por qué elegir Chasqui`}
      ground="surface"
      layout="beside"
      lead={
        <Stack gap="md" align="flex-start">
          <span>
            <Trans>La forma más clara de enviar dinero a casa.</Trans>
          </span>
          <Button component={Link} to={paths.login} variant="default" data-testid="home-advice">
            <Trans>Solicita tu asesoría gratuita</Trans>
          </Button>
        </Stack>
      }
    >
      <ul className={classes.reasons}>
        {reasons.map(({ Icon, title, text }) => (
          <li key={title.id} className={classes.reason}>
            <Icon size={28} stroke={1.6} color="var(--cq-good)" aria-hidden />
            <Title order={3}>{i18n._(title)}</Title>
            <Text c="dimmed">{i18n._(text)}</Text>
          </li>
        ))}
      </ul>
      {claim && (
        <Text className={classes.claim} data-testid="home-claim">
          <IconTrendingUp size={22} stroke={1.8} aria-hidden />
          {claim}
        </Text>
      )}
    </Section>
  );
}

/** How many Bolivians live abroad (specification, section 1). */
const community = [
  { count: 700_000, more: '+', share: 1, label: msg`bolivianas y bolivianos en el mundo` },
  { count: 345_000, more: '', share: 345 / 700, label: msg`viven en Argentina, aproximadamente` },
] as const;

function Community() {
  return (
    <Section
      title={t`Bolivianos por el mundo`}
      ground="night"
      lead={t`Para bolivianos en todo el mundo, siempre cerca de casa.`}
      layout="beside"
    >
      <Stack gap="xl">
        {community.map(({ count, more, share, label }) => (
          <div key={count}>
            <Text className={`${classes.count} cq-big cq-num`}>
              {formatCount(count)}
              {more}
            </Text>
            <div className={`${classes.share} cq-chevrons`} style={{ width: `${share * 100}%` }} aria-hidden />
            <Text fz="lg">{i18n._(label)}</Text>
          </div>
        ))}
        <div>
          <Text fw={600} mb="xs">
            <Trans>Su dinero llega a</Trans>
          </Text>
          <ul className={classes.banks}>
            {[...banks, 'Tigo Money'].map((bank) => (
              <li key={bank}>{bank}</li>
            ))}
          </ul>
        </div>
      </Stack>
    </Section>
  );
}

function Closing() {
  return (
    <section className={classes.closing} aria-label={t`Empieza ahora`}>
      <div className="cq-band" aria-hidden />
      <Container size={1180} px={{ base: 'md', sm: 'lg' }} py={{ base: 40, md: 64 }}>
        <Group justify="space-between" gap="lg">
          <Title order={2} className={classes.closingTitle}>
            <Trans>Tu familia, a un envío de distancia.</Trans>
          </Title>
          <Button component={Link} to={paths.login} state={signupState} size="lg">
            <Trans>Hacer mi primer envío ahora</Trans>
          </Button>
        </Group>
        <Group gap="xs" mt="lg">
          <Button component={Link} to={paths.stripeIntegration} variant="default" data-testid="home-card-test">
            <Trans>Probar un pago con tarjeta</Trans>
          </Button>
          <Button component={Link} to={paths.crypto} variant="default" data-testid="home-crypto-test">
            <Trans>Probar una compra de cripto</Trans>
          </Button>
        </Group>
      </Container>
    </section>
  );
}

/** Today's rates. */
function RateCard() {
  return (
    <aside className={classes.rateCard} aria-label={t`Tasa de hoy`} data-testid="home-rates">
      <div className="cq-band" aria-hidden />
      <div className={`${classes.row} cq-weave`} aria-hidden />
      <div className={classes.rateText}>
        <Text className={classes.quiet}>
          <Trans>Tasa de hoy</Trans>
        </Text>
        <QueryView
          query={useQuery(ratesQuery)}
          loading={<Rates rates={null} />}
          failed={() => (
            <Text fz="lg" mt="sm" className={classes.missing}>
              {failureMessages.rate_unavailable}
            </Text>
          )}
        >
          {({ rates }) => <Rates rates={rates} />}
        </QueryView>
        <Text className={classes.quiet} mt="md">
          <Trans>La comisión se muestra aparte, antes de pagar: nunca va escondida en la tasa.</Trans>
        </Text>
        <Anchor component={Link} to={paths.rateTester} className={classes.rateLink} data-testid="home-compare">
          <Trans>Compara con otros servicios</Trans>
        </Anchor>
      </div>
      <div className={`${classes.row} cq-chevrons`} aria-hidden />
      <div className="cq-band" aria-hidden />
    </aside>
  );
}

function Rates({ rates }: { rates: RateBoard['rates'] | null }) {
  return sendCurrencies.map((currency) => (
    <div key={currency} className={`${classes.rate} cq-big cq-num`}>
      {rates ? formatRateLine(rates[currency].rate, currency) : <FirstFigure name={`rate-${currency}`} width="8em" />}
    </div>
  ));
}
