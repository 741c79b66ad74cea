import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Card, FileButton, Group, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconFileUpload } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type DragEvent, type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import type { CheckedPaper } from '#core/contracts/http/papers';
import { formats, onOneLine } from '#core/locale/format';
import { readPaperCode } from '#core/papers/paper-code';
import { paperTitles, statedLines } from '#core/papers/stated';
import { canHashFiles, checkedPaperQuery, checkPaperFile } from '../../data/papers.ts';
import { errorMessage, isMissing } from '../../lib/http.ts';
import { language } from '../../lib/language.ts';
import { paths } from '../../lib/paths.ts';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import classes from './papers.module.css';

/** Says whether a paper is one that we issued, by the code on it or by its file, and what it states. `code` is empty without one. */
export function CheckPaper({ code }: { code: string }) {
  return (
    <Page
      title={t`Comprobar un documento`}
      lead={t`Los recibos y extractos de Chasqui llevan un código. Aquí ves qué emitimos con él, y si el archivo que tienes es el nuestro.`}
      size={820}
    >
      {code && <ByCode code={code} />}
      <ByFile code={code} />
      {!code && <CodeForm />}
    </Page>
  );
}

function CodeForm() {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim()) void navigate(`${paths.checkPaper}/${encodeURIComponent(typed.trim())}`);
  };
  return (
    <Card component="form" onSubmit={submit}>
      <Group align="end">
        <TextInput
          label={t`Código del documento`}
          description={t`Está junto al QR: cinco grupos de cuatro.`}
          maxLength={40}
          flex="1 1 260px"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          data-testid="paper-code"
        />
        <Button type="submit" data-testid="paper-code-submit">
          <Trans>Comprobar</Trans>
        </Button>
      </Group>
    </Card>
  );
}

function ByCode({ code }: { code: string }) {
  const query = useQuery(checkedPaperQuery(code));
  return (
    <QueryView
      query={query}
      loading={<LoadingRows rows={6} height={40} />}
      {...(isMissing(query.error) && { failed: () => <Unknown /> })}
    >
      {(paper) => <Stated paper={paper} />}
    </QueryView>
  );
}

function Unknown() {
  return (
    <>
      <Alert
        color="red"
        icon={<IconCircleX aria-hidden />}
        title={t`No emitimos este documento`}
        data-testid="paper-unknown"
      >
        <Trans>
          Ningún documento nuestro lleva este código. Revisa que esté bien escrito; si lo está, no confíes en el papel.
        </Trans>
      </Alert>
      <CodeForm />
    </>
  );
}

/** What we stored when the paper was issued, beside what it would say today. */
function Stated({ paper }: { paper: CheckedPaper }) {
  const shown = language();
  const { stated, now, issuedAt } = paper;
  const lines = statedLines(stated, shown);
  const today = new Map(now ? statedLines(now, shown) : lines);
  const issued = formats[shown].fullMoment(issuedAt);
  const added = [...today].filter(([label]) => !lines.some(([known]) => known === label));
  const rows = [...lines.map(([label, value]) => ({ label, value, current: today.get(label) ?? '–' }))].concat(
    added.map(([label, current]) => ({ label, value: '–', current })),
  );
  return (
    <Stack>
      <Alert
        color={now ? 'yellow' : 'green'}
        icon={now ? <IconAlertTriangle aria-hidden /> : <IconCircleCheck aria-hidden />}
        title={now ? t`Lo emitimos, pero algo cambió después` : t`Lo emitimos y sigue vigente`}
        data-testid="paper-standing"
        data-current={now === null}
      >
        {now ? (
          <Trans>Decía la verdad al emitirse, el {issued}. Abajo está lo que cambió desde entonces.</Trans>
        ) : (
          <Trans>Emitido el {issued}. Compara cada línea con el papel: los nombres van con sus iniciales.</Trans>
        )}
      </Alert>
      <Card component="section" aria-labelledby="paper-title">
        <Title order={2} id="paper-title" fz="lg" mb="xs">
          {paperTitles[shown][stated.kind]}
        </Title>
        <Table.ScrollContainer minWidth={240}>
          <Table data-testid="paper-lines" className={classes.lines}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">
                  <Trans>Dato</Trans>
                </Table.Th>
                <Table.Th scope="col">
                  <Trans>Al emitirse</Trans>
                </Table.Th>
                {now && (
                  <Table.Th scope="col">
                    <Trans>Hoy</Trans>
                  </Table.Th>
                )}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(({ label, value, current }) => (
                <Table.Tr key={label} data-changed={now !== null && value !== current}>
                  <Table.Th scope="row">{label}</Table.Th>
                  <Table.Td>{onOneLine(value)}</Table.Td>
                  {now && <Table.Td>{value === current ? t`Igual` : onOneLine(current)}</Table.Td>}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Card>
    </Stack>
  );
}

/** Compares a file with those we delivered. It never leaves the browser. */
function ByFile({ code }: { code: string }) {
  const [over, setOver] = useState(false);
  const check = useMutation({ mutationFn: checkPaperFile });
  const take = (file: File | null | undefined) => file && check.mutate(file);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files[0]);
  };
  if (!canHashFiles()) return null;
  const found = check.data;
  return (
    <>
      <Card
        component="section"
        aria-labelledby="paper-file-title"
        className={over ? classes.over : undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        data-testid="paper-drop"
      >
        <Stack gap="sm">
          <Title order={2} id="paper-file-title" fz="lg">
            <Trans>¿Tienes el archivo?</Trans>
          </Title>
          <Text>
            <Trans>
              Suelta aquí el PDF o elígelo: decimos si es exactamente el que emitimos. El archivo no sale de tu
              dispositivo.
            </Trans>
          </Text>
          <div>
            <FileButton onChange={take} accept="application/pdf" inputProps={{ 'aria-label': t`Elegir el PDF` }}>
              {(props) => (
                <Button
                  {...props}
                  variant="default"
                  loading={check.isPending}
                  leftSection={<IconFileUpload size={18} aria-hidden />}
                >
                  <Trans>Elegir el PDF</Trans>
                </Button>
              )}
            </FileButton>
          </div>
          <div role="status">
            {found && (!code || sameCode(found.code, code)) && (
              <Alert
                color="green"
                icon={<IconCircleCheck aria-hidden />}
                title={t`El archivo es el que emitimos`}
                data-testid="paper-file-true"
              >
                <Trans>No se le cambió nada.</Trans>
              </Alert>
            )}
            {found && code && !sameCode(found.code, code) && (
              <Alert
                color="yellow"
                icon={<IconAlertTriangle aria-hidden />}
                title={t`Es otro documento nuestro`}
                data-testid="paper-file-other"
              >
                <Trans>El archivo lo emitimos nosotros, pero con otro código que el de esta página.</Trans>
              </Alert>
            )}
            {check.error && isMissing(check.error) && (
              <Alert
                color="red"
                icon={<IconCircleX aria-hidden />}
                title={t`El archivo no es como lo emitimos`}
                data-testid="paper-file-altered"
              >
                <Trans>
                  Alguien lo cambió, o no es nuestro. También cambia un archivo que otro programa volvió a guardar.
                </Trans>
              </Alert>
            )}
            {check.error && !isMissing(check.error) && <Alert color="red">{errorMessage(check.error)}</Alert>}
          </div>
        </Stack>
      </Card>
      {found && !code && <Stated paper={found} />}
    </>
  );
}

const sameCode = (one: string, other: string) => readPaperCode(one) === readPaperCode(other);
