import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Container, Group, Stack, Text, Title } from '@mantine/core';
import { IconArrowsExchange, IconBellRinging, IconSend, IconUsers } from '@tabler/icons-react';
import { lazy, type ReactNode } from 'react';
import { Link } from 'react-router';
import { claimQuery, claimText } from '../../data/comparison.ts';
import { useOptionalQuery } from '../../data/optional-query.ts';
import { paths } from '../../lib/paths.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { StepDiamond } from '../../ui/mark.tsx';
import { usePageTitle } from '../../ui/page.tsx';
import classes from './landing-b.module.css';
import { LandingBHeader } from './landing-b-header.tsx';
import { Faq, Section } from './section.tsx';

/** Below everything else, and known only when the page is there. */
const WhoRunsIt = lazy(() => import('./who-runs-it.tsx'));

/** Landing page B: the calculator first, then how it works and who is behind it. */
export function LandingB({ calculator }: { calculator: ReactNode }) {
  usePageTitle(t`Siempre cerca de casa`);
  return (
    <>
      <LandingBHeader />
      <Hero calculator={calculator} />
      <Services />
      <Process />
      <About />
      <Testimonials />
      <Reasons />
      <Section id="preguntas" title={t`Preguntas frecuentes`} ground="surface" layout="beside">
        <Faq />
      </Section>
      <LazyPart missing={null}>
        <WhoRunsIt />
      </LazyPart>
      <Closing />
    </>
  );
}

function Hero({ calculator }: { calculator: ReactNode }) {
  return (
    <section className={classes.hero} aria-labelledby="landing-b-title">
      <Container size={1180} px={{ base: 'md', sm: 'lg' }} py={{ base: 32, md: 72 }}>
        <div className={classes.heroColumns}>
          <Stack gap="lg" align="flex-start" className={classes.words}>
            <Title order={1} id="landing-b-title" className={classes.title}>
              <Trans>Siempre cerca de casa.</Trans>
            </Title>
            <Text fz="xl" className={classes.heroText}>
              <Trans>
                Envía dinero a Bolivia desde cualquier lugar. Ves los bolivianos exactos que llegan antes de pagar.
              </Trans>
            </Text>
            <Group gap="lg">
              <Button
                component={Link}
                to={paths.dashboard}
                size="lg"
                color="sun.5"
                c="#14213d"
                data-testid="b-start-now"
              >
                <Trans>Comenzar ahora</Trans>
              </Button>
              <Anchor component={Link} to={paths.rateTester} fw={600} className={classes.heroLink} data-testid="b-how">
                <Trans>Cómo funciona</Trans>
              </Anchor>
            </Group>
          </Stack>
          <div id="calculator">{calculator}</div>
        </div>
      </Container>
      <div className="cq-weave" aria-hidden />
    </section>
  );
}

const services = [
  {
    Icon: IconSend,
    title: msg`Transferencias directas`,
    text: msg`De tu tarjeta a los principales bancos de Bolivia y a Tigo Money.`,
  },
  {
    Icon: IconBellRinging,
    title: msg`Notificaciones`,
    text: msg`Te avisamos cuando tu envío avanza, y en tu panel lo ves en vivo.`,
  },
  {
    Icon: IconUsers,
    title: msg`Destinatarios`,
    text: msg`Guarda a tu familia una vez y envíale de nuevo en segundos.`,
  },
  {
    Icon: IconArrowsExchange,
    title: msg`Cambio de moneda`,
    text: msg`Pagas en dólares o euros y llegan bolivianos, con la tasa a la vista.`,
  },
] as const;

function Services() {
  return (
    <Section id="servicios" title={t`Nuestros servicios`}>
      <ul className={classes.services}>
        {services.map(({ Icon, title, text }) => (
          <li key={title.id} className={classes.service}>
            <Icon size={30} stroke={1.6} color="var(--cq-good)" aria-hidden />
            <Title order={3}>{i18n._(title)}</Title>
            <Text c="dimmed">{i18n._(text)}</Text>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const steps = [
  { title: msg`Regístrate`, text: msg`Tu correo y una contraseña. Toma menos de 2 minutos.` },
  { title: msg`Añade destinatarios`, text: msg`Nombre, CI, banco y número de cuenta de quien recibe.` },
  { title: msg`Envía dinero`, text: msg`Elige el monto, paga con tu tarjeta y sigue el envío hasta que llega.` },
] as const;

function Process() {
  return (
    <Section id="pasos" title={t`Envía en 3 pasos`} ground="surface">
      <ol className={classes.steps}>
        {steps.map(({ title, text }, index) => (
          <li key={title.id} className={classes.step}>
            <StepDiamond size={64}>{String(index + 1)}</StepDiamond>
            <div>
              <Title order={3}>{i18n._(title)}</Title>
              <Text c="dimmed">{i18n._(text)}</Text>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function About() {
  return (
    <Section title={t`Quiénes somos`} layout="beside">
      <Stack gap="md" className={classes.about}>
        <Text fz="xl">
          <Trans>
            Los chasquis cruzaban los Andes corriendo, de posta en posta, para que cada mensaje llegara a tiempo. De
            ellos tomamos el nombre y el encargo: que lo que envías llegue, y que sepas por dónde va.
          </Trans>
        </Text>
        <Text>
          <Trans>
            Hacemos una sola cosa: enviar dinero a Bolivia. Por eso cada envío lo revisa una persona antes de cobrarte,
            y cada boliviano que prometemos está en la cuenta que ves antes de pagar.
          </Trans>
        </Text>
      </Stack>
    </Section>
  );
}

/** Nobody real said these: they show what the service is for, and say so. */
const testimonials = [
  {
    text: msg`Mando el alquiler de mi mamá cada mes desde el celular, en el descanso.`,
    who: msg`Carmen, Madrid → El Alto`,
  },
  {
    text: msg`Lo que me gusta es que sé cuántos bolivianos llegan antes de pagar.`,
    who: msg`Wilson, Virginia → Cochabamba`,
  },
  { text: msg`Vi cómo pasó a Completado y al rato me llamó mi papá.`, who: msg`Nayra, Buenos Aires → Potosí` },
] as const;

function Testimonials() {
  return (
    <Section
      title={t`Para historias como estas`}
      lead={t`Testimonios ilustrativos: los escribimos nosotros para mostrar usos del servicio.`}
      ground="surface"
    >
      <div className={classes.testimonials}>
        {testimonials.map(({ text, who }) => (
          <figure key={who.id} className={classes.testimonial}>
            <blockquote className={classes.quote}>{i18n._(text)}</blockquote>
            <Text component="figcaption" c="dimmed">
              {i18n._(who)}{' '}
              <span>
                <Trans>(ejemplo)</Trans>
              </span>
            </Text>
          </figure>
        ))}
      </div>
    </Section>
  );
}

const reasons = [
  [msg`Una sola comisión`, msg`La ves antes de pagar. No hay nada más que sumar.`],
  [msg`Cobro después de revisar`, msg`Tu tarjeta se cobra solo cuando el envío se aprueba.`],
  [msg`Cancelar sin costo`, msg`Mientras está en revisión, y 30 minutos después de pagar si aún no se depositó.`],
  [msg`Comparado con otros`, msg`Ponemos nuestra tasa junto a la de los demás, con la hora de cada dato.`],
] as const;

function Reasons() {
  const data = useOptionalQuery(claimQuery({ amount: '100', currency: 'USD' })) ?? null;
  const claim = claimText({ claimPercent: data }, 'elsewhere');
  return (
    <Section
      title={t`Razones para elegirnos`}
      ground="night"
      layout="beside"
      lead={
        <Anchor component={Link} to={paths.rateTester} fz="lg" fw={600} data-testid="b-compare">
          <Trans>Ver comparación de tasas</Trans>
        </Anchor>
      }
    >
      <dl className={classes.reasons}>
        {reasons.map(([title, text]) => (
          <div key={title.id} className={classes.reason}>
            <dt className="cq-big">{i18n._(title)}</dt>
            <dd>{i18n._(text)}</dd>
          </div>
        ))}
      </dl>
      {claim && (
        <Text mt="lg" fw={600} c="#f7d25a" data-testid="b-claim">
          {claim}
        </Text>
      )}
    </Section>
  );
}

function Closing() {
  return (
    <section className={classes.closing} aria-labelledby="landing-b-closing">
      <div className="cq-weave" aria-hidden />
      <Container size={1180} px={{ base: 'md', sm: 'lg' }} py={{ base: 48, md: 88 }}>
        <Stack gap="lg" align="center">
          <Title order={2} id="landing-b-closing" ta="center" className={classes.closingTitle}>
            <Trans>¿A quién le envías hoy?</Trans>
          </Title>
          <Button component={Link} to={paths.dashboard} size="lg" color="sun.5" c="#14213d" data-testid="b-send-now">
            <Trans>Enviar ahora</Trans>
          </Button>
        </Stack>
      </Container>
    </section>
  );
}
