import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Alert, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import {
  type Icon,
  IconCheck,
  IconCopy,
  IconDeviceMobile,
  IconFileDownload,
  IconFingerprint,
  IconKey,
  IconMail,
  IconShieldCheck,
} from '@tabler/icons-react';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type PasskeyView, passkeysMax } from '#core/contracts/http/passkeys';
import type { SecondFactorView } from '#core/contracts/http/second-factor';
import { accountKeys } from '../../data/sender-query-keys.ts';
import { askWhoIsSignedIn, useSession } from '../../data/session.ts';
import { accountCall } from '../../lib/account-http.ts';
import { formatMoment } from '../../lib/format/dates.ts';
import { Saved } from '../../ui/checked-form.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import { EmailProofForm } from './email-proof.tsx';
import { PasswordForm } from './password-form.tsx';
import { PasskeySetup, SecondFactorSetup } from './second-factor-setup.tsx';

const secondFactorQuery = queryOptions({
  queryKey: accountKeys.secondFactor,
  queryFn: ({ signal }) => accountCall('getSecondFactor', { signal }),
  staleTime: 0,
});

/** From how few recovery codes on it is time for new ones. */
const fewCodes = 3;

type Doing = 'app' | 'passkey' | 'codes' | 'remove-app' | PasskeyView;

/** Two-step verification: an app, passkeys, and the recovery codes that stand for either. */
export default function SecondFactor() {
  const query = useQuery(secondFactorQuery);
  const queryClient = useQueryClient();
  const { data: session } = useSession();
  const [doing, setDoing] = useState<Doing | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const finish = (said: string | null) => {
    setDoing(null);
    setCodes(null);
    setDone(said);
    void queryClient.invalidateQueries({ queryKey: accountKeys.secondFactor });
    // Who needed it to go on may now.
    if (session?.mustSetUp) void askWhoIsSignedIn(queryClient);
  };
  const begin = (next: Doing) => {
    setDone(null);
    setDoing(next);
  };
  const cancel = () => finish(null);
  const added = (fresh: readonly string[] | null) => (fresh ? setCodes(fresh) : finish(t`Listo: ya puedes usarla.`));
  const form = () => {
    if (codes) return <RecoveryCodes codes={codes} onKept={() => finish(t`Listo: tu cuenta pide los dos pasos.`)} />;
    if (doing === 'app') return <SecondFactorSetup onConfirmed={added} onCancel={cancel} />;
    if (doing === 'passkey') return <PasskeySetup onAdded={added} onCancel={cancel} />;
    if (doing === 'codes')
      return (
        <PasswordForm
          about={t`Los códigos de recuperación que tienes dejan de valer.`}
          verb={t`Crear códigos`}
          perform={async ({ password }) =>
            setCodes((await accountCall('renewRecoveryCodes', { body: { password } })).recoveryCodes)
          }
          onCancel={cancel}
        />
      );
    if (doing)
      return <RemoveForm doing={doing} factor={query.data} onDone={() => finish(t`Quitada.`)} onCancel={cancel} />;
    return null;
  };
  return (
    form() ?? (
      <QueryView query={query} loading={<LoadingRows rows={2} height={48} />}>
        {(factor) => (
          <Stack>
            {session?.user.emailProven === false && !isOn(factor) ? (
              <Unproven />
            ) : (
              <Overview factor={factor} begin={begin} />
            )}
            <Saved done={done} error={null} />
          </Stack>
        )}
      </QueryView>
    )
  );
}

function RemoveForm(props: {
  doing: 'remove-app' | PasskeyView;
  factor: SecondFactorView | undefined;
  onDone: () => void;
  onCancel: () => void;
}) {
  const { doing, factor, onDone, onCancel } = props;
  const count = (factor?.passkeys.length ?? 0) + (factor?.since == null ? 0 : 1);
  const perform = async ({ password }: { password: string }) => {
    const body = { password };
    if (doing === 'remove-app') await accountCall('removeSecondFactor', { body });
    else await accountCall('removePasskey', { params: { id: doing.id }, body });
    onDone();
  };
  const name = doing === 'remove-app' ? '' : doing.name;
  return (
    <PasswordForm
      about={
        count === 1
          ? t`Desactivas la verificación en dos pasos: para entrar bastará tu contraseña.`
          : doing === 'remove-app'
            ? t`Ya no podrás entrar con un código de tu aplicación.`
            : t`Ya no podrás entrar con "${name}". Bórrala también en tu equipo.`
      }
      verb={t`Quitar`}
      danger
      perform={perform}
      onCancel={onCancel}
    />
  );
}

const isOn = ({ since, passkeys }: SecondFactorView) => since !== null || passkeys.length > 0;

/** The address is proven first: a second factor on a stranger's address would lock its owner out. */
function Unproven() {
  return (
    <Stack data-testid="factor-unproven">
      <Off />
      <Alert color="yellow" icon={<IconMail aria-hidden />}>
        <Trans>Antes confirma tu correo: así te avisamos de cada cambio y puedes deshacerlo.</Trans>
      </Alert>
      <EmailProofForm />
    </Stack>
  );
}

function Overview({ factor, begin }: { factor: SecondFactorView; begin: (doing: Doing) => void }) {
  const { since, passkeys, recoveryCodesLeft } = factor;
  const on = isOn(factor);
  const appSince = since && formatMoment(since);
  return (
    <Stack>
      {on ? <On recoveryCodesLeft={recoveryCodesLeft} /> : <Off />}
      {appSince && (
        <Row Icon={IconDeviceMobile} name={t`Aplicación de verificación`} onRemove={() => begin('remove-app')}>
          <Trans>Desde el {appSince}</Trans>
        </Row>
      )}
      {passkeys.map((passkey) => (
        <PasskeyRow key={passkey.id} passkey={passkey} onRemove={() => begin(passkey)} />
      ))}
      {passkeys.length < passkeysMax && (
        <Button variant={on ? 'default' : 'filled'} onClick={() => begin('passkey')} data-testid="passkey-add">
          <Trans>Crear una llave de acceso</Trans>
        </Button>
      )}
      {since === null && (
        <Button variant="default" onClick={() => begin('app')} data-testid="factor-setup">
          <Trans>Usar una aplicación de verificación</Trans>
        </Button>
      )}
      {on && (
        <Button variant="default" onClick={() => begin('codes')} data-testid="factor-renew">
          <Trans>Crear códigos de recuperación nuevos</Trans>
        </Button>
      )}
    </Stack>
  );
}

function Off() {
  return (
    <Text fz="sm" c="dimmed">
      <Trans>
        Además de tu contraseña, pedimos al entrar algo que solo tú tienes: una llave de acceso, que usas con tu huella,
        tu cara o el PIN de tu equipo, o un código de una aplicación. Quien descubra tu contraseña no podrá entrar.
      </Trans>
    </Text>
  );
}

function On({ recoveryCodesLeft: left }: Pick<SecondFactorView, 'recoveryCodesLeft'>) {
  return (
    <Group wrap="nowrap" align="start" gap="sm" data-testid="factor-on">
      <IconShieldCheck size={24} stroke={1.7} aria-hidden style={{ flex: 'none', color: 'var(--cq-good)' }} />
      <div>
        <Text fw={600}>
          <Trans>Tu cuenta pide dos pasos</Trans>
        </Text>
        <Text fz="sm" c={left < fewCodes ? 'var(--cq-bad)' : 'dimmed'} data-testid="factor-codes-left">
          <Plural
            value={left}
            _0="No te queda ningún código de recuperación: crea nuevos."
            one="Te queda un código de recuperación: crea nuevos."
            other="Te quedan # códigos de recuperación."
          />
        </Text>
      </div>
    </Group>
  );
}

function PasskeyRow({ passkey, onRemove }: { passkey: PasskeyView; onRemove: () => void }) {
  const created = formatMoment(passkey.createdAt);
  const used = passkey.lastUsedAt && formatMoment(passkey.lastUsedAt);
  return (
    <Row Icon={IconFingerprint} name={passkey.name} onRemove={onRemove}>
      <Trans>Llave de acceso</Trans>
      <br />
      <Trans>Desde el {created}</Trans>
      <br />
      {used ? <Trans>Última vez: {used}</Trans> : <Trans>Todavía no la usaste</Trans>}
    </Row>
  );
}

/** One second factor, with what takes it away. */
function Row(props: { Icon: Icon; name: string; onRemove: () => void; children: ReactNode }) {
  const { Icon, name, onRemove, children } = props;
  return (
    <Group wrap="nowrap" align="start" gap="sm" data-testid="factor">
      <Icon size={24} stroke={1.7} aria-hidden style={{ flex: 'none' }} />
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Text fz="sm" c="dimmed" className="cq-num">
          {children}
        </Text>
      </div>
      <Button
        variant="subtle"
        size="compact-md"
        onClick={onRemove}
        aria-label={t`Quitar: ${name}`}
        data-testid="factor-remove"
      >
        <Trans>Quitar</Trans>
      </Button>
    </Group>
  );
}

/** Recovery codes, the only time that they can be seen. */
function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const top = useRef<HTMLDivElement>(null);
  // The form that had the keyboard is gone.
  useEffect(() => top.current?.focus(), []);
  const text = `${codes.join('\n')}\n`;
  const download = () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    link.download = t`chasqui-codigos-de-recuperacion.txt`;
    link.click();
    // The browser has taken it over by the next task.
    setTimeout(() => URL.revokeObjectURL(link.href));
  };
  return (
    <Stack ref={top} tabIndex={-1} style={{ outline: 'none' }} data-testid="recovery-codes">
      <Alert icon={<IconKey aria-hidden />} title={t`Guarda tus códigos de recuperación`} role="status">
        <Trans>
          Con cada uno entras una vez si pierdes el teléfono. No los volveremos a mostrar: guárdalos fuera de este
          equipo.
        </Trans>
      </Alert>
      <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {codes.map((code) => (
          <li key={code}>
            <Code block fz={{ base: 'xs', xs: 'md' }} ff="monospace" style={{ whiteSpace: 'normal' }}>
              {code}
            </Code>
          </li>
        ))}
      </Stack>
      <Group grow>
        <Button
          variant="default"
          leftSection={<IconFileDownload size={20} aria-hidden />}
          onClick={download}
          data-testid="recovery-download"
        >
          <Trans>Descargar</Trans>
        </Button>
        <CopyButton value={text} timeout={2000}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              leftSection={copied ? <IconCheck size={20} aria-hidden /> : <IconCopy size={20} aria-hidden />}
              onClick={copy}
            >
              {copied ? t`Copiado` : t`Copiar`}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Button onClick={onKept} data-testid="recovery-kept">
        <Trans>Ya los guardé</Trans>
      </Button>
    </Stack>
  );
}
