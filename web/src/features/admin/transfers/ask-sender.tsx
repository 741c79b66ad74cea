import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { IconMessageQuestion } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminTransferView } from '#core/contracts/http/admin';
import { adminRoutes } from '#core/contracts/http/admin-routes';
import type { AdminQuestionView } from '#core/contracts/http/review-questions';
import { type QuestionCode, questionCodes, questionMax } from '#core/review/questions';
import { reviewQuestionsQuery, useAskSender } from '../../../data/reviews.ts';
import { laPazTime } from '../../../lib/format/dates.ts';
import { errorMessage } from '../../../lib/http.ts';
import { newUuid } from '../../../lib/uuid.ts';
import { PagedListView } from '../../../ui/paged-list-view.tsx';
import { LoadingRows } from '../../../ui/states.tsx';
import { FileList } from '../../shared/files.tsx';
import { QuestionText, questionTexts } from '../../shared/question-texts.tsx';
import { Section } from '../admin-drawer.tsx';
import { QuestionBadge } from './transfer-cells.tsx';

/** What was asked of the sender before the decision, with the answers as they come, and a form for one more question. */
export function AskSender({ transfer, own }: { transfer: AdminTransferView; own: boolean }) {
  return (
    <Section title={t`Preguntas a quien envía`}>
      <Stack gap="sm" data-testid="review-questions">
        {transfer.questions && (
          <div role="status">
            <QuestionBadge transfer={transfer} />
          </div>
        )}
        {transfer.questions && <Questions transferId={transfer.id} />}
        {!own && <AskForm transferId={transfer.id} />}
      </Stack>
    </Section>
  );
}

function Questions({ transferId }: { transferId: string }) {
  const list = useInfiniteQuery(reviewQuestionsQuery(transferId));
  return (
    <PagedListView query={list} loading={<LoadingRows rows={1} height={56} />} empty={null} moreTestid="questions-more">
      {(questions) => questions.map((one) => <Question key={one.id} question={one} />)}
    </PagedListView>
  );
}

function Question({ question }: { question: AdminQuestionView }) {
  const { answer, asked_by: by } = question;
  const [askedAt, answeredAt] = [laPazTime(question.asked_at), answer && laPazTime(answer.at)];
  return (
    <Stack gap={2} data-testid="review-question">
      <QuestionText question={question} />
      <Text fz="sm" c="dimmed">
        <Trans>
          Preguntó {by}, {askedAt}
        </Trans>
      </Text>
      {answer ? (
        <>
          <Text style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>{answer.text}</Text>
          <FileList files={question.files} route={adminRoutes.adminFile} />
          <Text fz="sm" c="dimmed">
            <Trans>Respondió quien envía, {answeredAt}</Trans>
          </Text>
        </>
      ) : (
        <Text c="var(--cq-wait)">
          <Trans>Sin respuesta todavía.</Trans>
        </Text>
      )}
    </Stack>
  );
}

/** Where the keyboard goes on when something appears in the place of what had the focus. */
const focusOnMount = (element: HTMLElement | null) => element?.focus();

function AskForm({ transferId }: { transferId: string }) {
  const ask = useAskSender(transferId);
  const [form, setForm] = useState<'unused' | 'open' | 'closed'>('unused');
  const [code, setCode] = useState<QuestionCode | ''>('');
  const [note, setNote] = useState('');
  const [isMissing, setMissing] = useState(false);
  const [id, setId] = useState(newUuid);
  if (form !== 'open')
    return (
      <div>
        <Button
          variant="default"
          leftSection={<IconMessageQuestion size={18} aria-hidden />}
          onClick={() => setForm('open')}
          {...(form === 'closed' && { ref: focusOnMount })}
          data-testid="ask-open"
        >
          <Trans>Preguntar a quien envía</Trans>
        </Button>
      </div>
    );
  const change = () => {
    setMissing(false);
    // What was sent and is changed is another question.
    if (ask.error) setId(newUuid());
    ask.reset();
  };
  const send = () => {
    if (code === '' && note.trim() === '') return setMissing(true);
    ask.mutate(
      { id, ...(code && { code }), ...(note.trim() && { note: note.trim() }) },
      {
        onSuccess: () => {
          setId(newUuid());
          setCode('');
          setNote('');
          setForm('closed');
        },
      },
    );
  };
  return (
    <Stack gap="sm">
      <NativeSelect
        ref={focusOnMount}
        label={t`Pregunta`}
        data={[
          { value: '', label: t`Solo lo que escribas abajo` },
          ...questionCodes.map((value) => ({ value, label: i18n._(questionTexts[value]) })),
        ]}
        value={code}
        onChange={({ currentTarget }) => {
          setCode(questionCodes.find((one) => one === currentTarget.value) ?? '');
          change();
        }}
        disabled={ask.isPending}
        data-testid="ask-code"
      />
      <Textarea
        label={t`Con tus palabras (opcional si eliges una pregunta)`}
        description={t`Quien envía lo lee en su correo y en su panel, como lo escribes.`}
        value={note}
        onChange={(event) => {
          setNote(event.currentTarget.value);
          change();
        }}
        error={isMissing && t`Elige una pregunta o escríbela`}
        maxLength={questionMax}
        autosize
        minRows={2}
        disabled={ask.isPending}
        data-testid="ask-note"
      />
      {ask.error && (
        <Alert role="alert" color="red">
          {errorMessage(ask.error)}
        </Alert>
      )}
      <Group gap="sm">
        <Button loading={ask.isPending} onClick={send} data-testid="ask-send">
          <Trans>Enviar la pregunta</Trans>
        </Button>
        <Button variant="default" disabled={ask.isPending} onClick={() => setForm('closed')}>
          <Trans>Cancelar</Trans>
        </Button>
      </Group>
    </Stack>
  );
}
