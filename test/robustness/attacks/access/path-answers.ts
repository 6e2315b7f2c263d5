import { adminToken, bobToken } from '#test/tokens.ts';
import { pathAsker, type PathAnswer, type Protocol } from './ask-path.ts';
import type { PathQuestion } from './path-forms.ts';

/** Who asks: the administrator learns what a path is, one without rights what it is judged by. */
const users = { admin: adminToken, bob: bobToken } as const;

const atOnce = 16;

/** What a server tells of each path, by user, method and path. */
export async function pathAnswers(
  url: string,
  questions: readonly PathQuestion[],
  protocol: Protocol,
): Promise<Map<string, PathAnswer>> {
  const answers = new Map<string, PathAnswer>();
  for (const [user, token] of Object.entries(users)) {
    const asker = pathAsker(protocol, url, token);
    const left = questions.values();
    const work = async (): Promise<void> => {
      for (const question of left)
        answers.set(`${user} ${question.method} ${question.path}`, await asker.ask(question));
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    asker.close();
  }
  return answers;
}
