import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, FileInput, NativeSelect, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconCircleCheck, IconClock, IconPaperclip, IconX } from '@tabler/icons-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { documentTypes, type IdentityDeclineReason, type IdentityLevel, type Tier, tiers } from '#core/accounts/tiers';
import { type IdentityView, identityInput } from '#core/contracts/http/identity';
import type { IdentityCheckView } from '#core/contracts/http/identity-views';
import { useSubmitDocument, useSubmitIdentity } from '../../data/identity.ts';
import { checkedBy, focusFirstProblem, refusedField, showFieldErrors } from '../../lib/form-failure.ts';
import { formatAmount } from '../../lib/format/money.ts';
import { acceptedTypes, uploadProblem } from '../../lib/uploads.ts';
import { CheckedForm, Saved } from '../../ui/checked-form.tsx';
import { ThreePartDate } from '../../ui/three-part-date.tsx';
import { countryName, documentNames } from '../shared/documents.ts';
import { isInterrupted, UploadProblem, UploadProgress, useUpload } from '../shared/upload-progress.tsx';

const titles: Readonly<Record<IdentityLevel, MessageDescriptor>> = {
  identity: msg`Tus datos de identidad`,
  document: msg`Tu documento`,
};

/** By what a person is known with each tier. */
const tierNames: Readonly<Record<Tier, MessageDescriptor>> = {
  email: msg`con tu correo`,
  identity: msg`con tus datos de identidad`,
  document: msg`con tu documento`,
};

/** Why a check was declined, and what helps. */
const declineSentences: Readonly<Record<IdentityDeclineReason, MessageDescriptor>> = {
  unreadable: msg`No pudimos leer el documento. Haz la foto con buena luz, sin reflejos y con los cuatro bordes dentro.`,
  expired: msg`El documento está vencido. Envía uno vigente.`,
  mismatch: msg`Lo que escribiste no coincide con el documento. Revisa nombre, número y fecha de nacimiento.`,
  not_accepted: msg`No podemos aceptar este documento. Usa tu pasaporte, tu cédula o tu permiso de residencia.`,
  in_use: msg`Este documento ya está verificado en otra cuenta. Si es tuya, entra con ella. Si no, escríbenos desde la página de Ayuda y lo revisamos.`,
};

/** The steps by which a person is known better, each with what it allows; the next one as a form. */
export function Verification({ view }: { view: IdentityView }) {
  const { identity, document } = view;
  const top = useRef<HTMLParagraphElement>(null);
  const sentAt = `${identity?.at} ${document?.at}`;
  const [shownAt] = useState(sentAt);
  // What came of it stands above the form that was sent, which is gone.
  useEffect(() => {
    if (sentAt === shownAt) return;
    top.current?.focus({ preventScroll: true });
    top.current?.scrollIntoView();
  }, [sentAt, shownAt]);
  // Where limits do not depend on it there is nothing to gain.
  if (new Set(view.tiers.map(({ payment, day, month }) => `${payment}/${day}/${month}`)).size === 1) return null;
  const name = i18n._(tierNames[view.tier]);
  const [level, of] = [tiers.indexOf(view.tier) + 1, tiers.length];
  return (
    <Stack gap="lg">
      <Text fw={600} ref={top} tabIndex={-1} style={{ outline: 'none', scrollMarginTop: 90 }} data-testid="tier">
        <Trans>
          Nivel {level} de {of}: {name}
        </Trans>
      </Text>
      <Step level="identity" check={identity} view={view}>
        <IdentityForm />
      </Step>
      {identity?.state === 'accepted' && (
        <Step level="document" check={document} view={view}>
          <DocumentForm />
        </Step>
      )}
    </Stack>
  );
}

function Step(props: {
  level: IdentityLevel;
  check: IdentityCheckView | null;
  view: IdentityView;
  children: React.ReactNode;
}) {
  const { level, check, view, children } = props;
  return (
    <Stack gap="sm" data-testid={`verify-${level}`}>
      <Title order={3} fz="md">
        {i18n._(titles[level])}
      </Title>
      {check?.state === 'accepted' && <Known check={check} />}
      {check?.state === 'waiting' && (
        <Alert color="yellow" icon={<IconClock aria-hidden />} role="status">
          <Trans>Lo estamos revisando. Te escribimos a tu correo con el resultado.</Trans>
        </Alert>
      )}
      {check?.state === 'declined' && check.reason && (
        <Alert color="red" icon={<IconX aria-hidden />} role="status">
          {i18n._(declineSentences[check.reason])}
        </Alert>
      )}
      {check?.state !== 'accepted' && check?.state !== 'waiting' && (
        <>
          <Allows level={level} view={view} />
          {children}
        </>
      )}
    </Stack>
  );
}

function Known({ check: { documentType, country, number, legalName } }: { check: IdentityCheckView }) {
  const [document, where] = [i18n._(documentNames[documentType]), countryName(country)];
  return (
    <Alert color="green" icon={<IconCircleCheck aria-hidden />}>
      <Trans>
        Verificado: {legalName}, {document} {number} ({where})
      </Trans>
    </Alert>
  );
}

function Allows({ level, view: { tiers } }: { level: IdentityLevel; view: IdentityView }) {
  const limits = tiers.find(({ tier }) => tier === level);
  if (!limits) return null;
  const [payment, day, month, highest] = [
    ...[limits.payment, limits.day, limits.month],
    tiers.at(-1)?.payment ?? limits.payment,
  ].map((amount) => formatAmount(amount, 'USD'));
  return (
    <Text fz="sm">
      {level === 'document' ? (
        <Trans>
          Con tu documento puedes enviar hasta {payment} por envío, {day} en 24 horas y {month} en 30 días.
        </Trans>
      ) : (
        <Trans>
          Con tus datos de identidad puedes enviar hasta {payment} por envío, {day} en 24 horas y {month} en 30 días.
          Después, con una foto del documento, hasta {highest} por envío.
        </Trans>
      )}
    </Text>
  );
}

function IdentityForm() {
  const submit = useSubmitIdentity();
  const [birthDate, setBirthDate] = useState('');
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { documentType: documentTypes[0] as string, country: '', number: '', legalName: '', birthDate: '' },
    validate: checkedBy(identityInput),
    onValuesChange: () => submit.reset(),
  });
  const send = (values: typeof form.values) =>
    submit.mutate(identityInput.parse(values), { onError: (error) => showFieldErrors(form, error) });
  const of = (name: keyof typeof form.values) => ({
    ...form.getInputProps(name),
    'data-testid': `identity-${name}`,
  });
  return (
    <CheckedForm form={form} send={send}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NativeSelect
          label={t`Documento`}
          data={documentTypes.map((value) => ({ value, label: i18n._(documentNames[value]) }))}
          key={form.key('documentType')}
          {...of('documentType')}
        />
        <NativeSelect
          label={t`País que lo emitió`}
          data={[{ value: '', label: t`Elige un país` }, ...countryChoices()]}
          key={form.key('country')}
          {...of('country')}
        />
      </SimpleGrid>
      <TextInput label={t`Número del documento`} autoComplete="off" key={form.key('number')} {...of('number')} />
      <TextInput
        label={t`Nombre completo, como en el documento`}
        autoComplete="name"
        key={form.key('legalName')}
        {...of('legalName')}
      />
      <ThreePartDate
        label={t`Fecha de nacimiento`}
        value={birthDate}
        onChange={(date) => {
          setBirthDate(date);
          form.setFieldValue('birthDate', date);
        }}
        error={form.errors.birthDate}
        testid="identity-birthDate"
      />
      <Text fz="sm" c="dimmed">
        <Trans>Guardamos el número cifrado. Solo lo ve quien revisa tu cuenta, y queda anotado.</Trans>
      </Text>
      <Button type="submit" loading={submit.isPending} data-testid="identity-send">
        <Trans>Verificar mis datos</Trans>
      </Button>
      <Saved done={null} error={submit.error} />
    </CheckedForm>
  );
}

function DocumentForm() {
  const submit = useSubmitDocument();
  const [front, setFront] = useState<File | null>(null);
  const [back, setBack] = useState<File | null>(null);
  const [asked, setAsked] = useState(false);
  const upload = useUpload();
  const interrupted = isInterrupted(submit.error);
  const problems = {
    front: front ? uploadProblem(front) : asked ? t`Elige el archivo` : null,
    back: back && uploadProblem(back),
  };
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    if (!front || problems.front || problems.back) return focusFirstProblem(event);
    submit.mutate({ front, back, control: upload.begin() }, { onSettled: upload.end });
  };
  const field = (side: 'front' | 'back') => ({
    placeholder: t`Elegir archivo`,
    leftSection: <IconPaperclip size={18} aria-hidden />,
    accept: acceptedTypes,
    clearable: true,
    clearButtonProps: { 'aria-label': t`Quitar el archivo` },
    error: problems[side] ?? refusedField(submit.error, `${side}.data`),
    disabled: submit.isPending,
    'data-testid': `document-${side}`,
  });
  return (
    <form noValidate onSubmit={send}>
      <Stack>
        <FileInput
          label={t`Frente, o la página con tu foto`}
          description={t`PDF, PNG o JPG, hasta 2 MB. Que se lea todo.`}
          value={front}
          onChange={setFront}
          {...field('front')}
        />
        <FileInput label={t`Reverso (si lo tiene)`} value={back} onChange={setBack} {...field('back')} />
        <Button type="submit" loading={submit.isPending} data-testid="document-send">
          <Trans>Enviar mi documento</Trans>
        </Button>
        <UploadProgress upload={upload} />
        {interrupted ? <UploadProblem error={submit.error} /> : <Saved done={null} error={submit.error} />}
      </Stack>
    </form>
  );
}

/** Codes of countries (ISO 3166-1), which the browser knows the names of. */
const countryCodes =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW';

/** Every country for a field that chooses one: Bolivia first, as most documents are from there, then by name. */
function countryChoices(): { value: string; label: string }[] {
  const names = new Intl.DisplayNames([i18n.locale], { type: 'region', fallback: 'code' });
  const all = countryCodes.split(' ').map((value) => ({ value, label: names.of(value) ?? value }));
  const isFirst = ({ value }: { value: string }) => Number(value !== 'BO');
  return all.sort((a, b) => isFirst(a) - isFirst(b) || a.label.localeCompare(b.label, i18n.locale));
}
