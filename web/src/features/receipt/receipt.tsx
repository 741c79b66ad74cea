import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Container, Group, SegmentedControl, Text, Title } from '@mantine/core';
import { IconArrowLeft, IconDownload, IconPrinter } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useSearchParams } from 'react-router';
import { companyLines } from '#core/contracts/company';
import type { ReceiptView } from '#core/contracts/http/receipts';
import { senderRoutes } from '#core/contracts/http/sender-routes';
import { transferAddress } from '#core/contracts/page-addresses';
import { type Locale, locales } from '#core/locale/locale';
import { type PaperSection, receiptParties, receiptSections } from '#core/papers/receipt-lines';
import { type ReceiptTexts, receiptTexts } from '#core/papers/receipt-texts';
import { useOptionalQuery } from '../../data/optional-query.ts';
import { paperAddress } from '../../data/papers.ts';
import { receiptQuery, transferQuery } from '../../data/transfers.ts';
import { useCompany } from '../../lib/document.ts';
import { isMissing } from '../../lib/http.ts';
import { language, languageNames, languageOfTag } from '../../lib/language.ts';
import { pathIn, paths, publicPaths } from '../../lib/paths.ts';
import { Mark } from '../../ui/mark.tsx';
import { Page, usePageTitle } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import classes from './receipt.module.css';

const languages = locales.map((value) => ({ value, label: <span lang={value}>{languageNames[value]}</span> }));
const languageParam = 'idioma';

/** A receipt as a sheet of paper in one language: on screen, and with that of the other one when printed. */
export function Receipt({ id }: { id: string }) {
  const query = useQuery(receiptQuery(id));
  const { data, error } = query;
  const [search, setSearch] = useSearchParams();
  const shown = languageOfTag(search.get(languageParam) ?? '') ?? language();
  useFreshReceipt(id);
  usePageTitle(data ? receiptTexts[shown].tab(data.number) : t`Recibo`);
  if (!data && isMissing(error)) return <Missing />;
  return (
    <Container size={760} py={{ base: 'lg', sm: 'xl' }} px={{ base: 'sm', sm: 'lg' }}>
      <Group justify="space-between" mb="md" className="cq-screen">
        <Button
          component={Link}
          to={transferAddress(id)}
          variant="subtle"
          px="xs"
          leftSection={<IconArrowLeft size={18} aria-hidden />}
        >
          <Trans>Volver al envío</Trans>
        </Button>
        {data && (
          <Group gap="sm">
            <SegmentedControl
              aria-label={t`Idioma del recibo`}
              data={languages}
              value={shown}
              onChange={(value) => setSearch(value === language() ? {} : { [languageParam]: value }, { replace: true })}
              data-testid="receipt-language"
            />
            <Button
              variant="default"
              leftSection={<IconPrinter size={18} aria-hidden />}
              onClick={() => window.print()}
              data-testid="receipt-print"
            >
              <Trans>Imprimir</Trans>
            </Button>
            <Button
              component="a"
              href={paperAddress(senderRoutes.receiptPdf, { id }, shown)}
              download
              leftSection={<IconDownload size={18} aria-hidden />}
              data-testid="receipt-download"
            >
              <Trans>Descargar PDF</Trans>
            </Button>
          </Group>
        )}
      </Group>
      <QueryView query={query} loading={<LoadingRows rows={6} height={64} />}>
        {(receipt) =>
          languages.map(({ value }) => <Sheet key={value} receipt={receipt} language={value} shown={value === shown} />)
        }
      </QueryView>
    </Container>
  );
}

/** The transfer's own news, by push, say that its receipt changed. */
function useFreshReceipt(id: string) {
  const queryClient = useQueryClient();
  const data = useOptionalQuery({ ...transferQuery(id), retry: false });
  const version = data?.version;
  useEffect(() => {
    if (version !== undefined) void queryClient.invalidateQueries({ queryKey: receiptQuery(id).queryKey });
  }, [version, id, queryClient]);
}

function Missing() {
  return (
    <Page
      title={t`No encontramos este recibo`}
      lead={t`Un envío tiene recibo desde que está pagado, y solo lo ve quien lo hizo.`}
      size={720}
    >
      <div>
        <Button component={Link} to={paths.dashboard}>
          <Trans>Ir a Mi Panel</Trans>
        </Button>
      </div>
    </Page>
  );
}

/** One language's receipt. The one that is not shown is there for the paper: senders are owed both. */
function Sheet({ receipt, language, shown }: { receipt: ReceiptView; language: Locale; shown: boolean }) {
  const messages = receiptTexts[language];
  const company = useCompany();
  return (
    <article
      className={`${classes.sheet} ${shown ? '' : classes.paperOnly}`}
      lang={language === 'es' ? 'es-BO' : 'en'}
      aria-labelledby={`receipt-title-${language}`}
      data-testid={shown ? 'receipt' : 'receipt-other'}
      data-state={receipt.state}
    >
      <div className="cq-band" aria-hidden />
      <header className={classes.head}>
        <div className={classes.brand}>
          <Mark size={34} />
          <span className="cq-big">Chasqui</span>
        </div>
        <div>
          <Title order={1} id={`receipt-title-${language}`} fz="h2">
            {messages.title}
          </Title>
          <Text className="cq-num" data-testid="receipt-number">
            {messages.number} {receipt.number}
          </Text>
        </div>
      </header>
      <div className={classes.standing} data-testid="receipt-standing">
        {messages.standing(receipt)}
      </div>
      <div className={classes.parties}>
        {receiptParties(receipt, language).map((party) => (
          <Party key={party.title} {...party} />
        ))}
      </div>
      {receiptSections(receipt, language).map((section) => (
        <Lines key={section.title} {...section} />
      ))}
      <Rights receipt={receipt} messages={messages} help={pathIn(language, publicPaths.help)} />
      <Text c="dimmed" mt="lg" className={classes.note}>
        {messages.figures(receipt)[0]} {/* Another document: it may be in the other language. */}
        <Anchor href={pathIn(language, publicPaths.terms)} underline="always">
          {messages.figures(receipt)[1]}
        </Anchor>
        .
      </Text>
      {company &&
        companyLines(company, language).map((line) => (
          <Text key={line} c="dimmed" mt="xs" className={classes.note}>
            {line}
          </Text>
        ))}
    </article>
  );
}

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

function Lines({ title, lines, total }: PaperSection) {
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
            <dd>{total[1]}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}

/** What a sender may ask of us and of the authorities (12 CFR 1005.31, 1005.33, 1005.34). */
function Rights(props: { receipt: ReceiptView; messages: ReceiptTexts; help: string }) {
  const { receipt, messages, help } = props;
  const { whatsapp, email } = receipt.contact;
  return (
    <section className={classes.part}>
      <h2 className={classes.small}>{messages.rights}</h2>
      <div className={classes.rights}>
        {[messages.cancelling, messages.errors].map(([about, text]) => (
          <Text key={about}>
            <b>{about}</b> {text}
          </Text>
        ))}
        <Text data-testid="receipt-contact">
          {/* On paper no link can be pressed: the address stands there. */}
          <b>{messages.contact}</b> Chasqui, {window.location.host}
          {help}
          {whatsapp && (
            <>
              , WhatsApp{' '}
              <Anchor href={`https://wa.me/${whatsapp}`} underline="always">
                +{whatsapp}
              </Anchor>
            </>
          )}
          {email && (
            <>
              , {messages.email}{' '}
              <Anchor href={`mailto:${email}`} underline="always">
                {email}
              </Anchor>
            </>
          )}
          .
        </Text>
        <Text>
          <b>{messages.authorities[0]}</b> {messages.authorities[1]}
        </Text>
      </div>
    </section>
  );
}
