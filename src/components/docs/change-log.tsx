import { Fragment } from 'react';
import { parseChangeLog, versionId } from '../../server/api/changelog';
import { TextWithCode } from './parts';

/** The change log, newest version first. */
export function ChangeLog({ text }: { text: string }) {
  return (
    <article className="docs-text">
      <h1>Change log</h1>
      <p>
        What has changed, by release. As data: <a href="/docs/api/changelog.json">changelog.json</a>.
      </p>
      {parseChangeLog(text).map(({ version, date, sections }) => (
        <section key={version} aria-labelledby={versionId(version)}>
          <h2 id={versionId(version)}>
            {version}
            {date && (
              <>
                , <time dateTime={date}>{date}</time>
              </>
            )}
          </h2>
          {sections.map(({ title, changes }) => (
            <Fragment key={title}>
              {title && <h3>{title}</h3>}
              <ul>
                {changes.map((change) => (
                  <li key={change}>
                    <TextWithCode text={change} />
                  </li>
                ))}
              </ul>
            </Fragment>
          ))}
        </section>
      ))}
    </article>
  );
}
