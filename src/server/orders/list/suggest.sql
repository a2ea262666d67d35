/* @name limitSuggestions */
-- For this transaction: limits how long the search may take, and makes the servers of a cluster adopt the next setting.
SELECT set_config('statement_timeout', :milliseconds!, true) AS "timeout!",
       set_config('citus.propagate_set_commands', 'local', true) AS "propagated!";

/* @name lowerSimilarity */
-- For this transaction: how similar a word must be to be suggested. A name of five letters with one wrong letter is similar enough.
SET LOCAL pg_trgm.word_similarity_threshold TO 0.3;

/* @name suggestNames */
-- Across all shops: names of buyers, recipients and cities that are spelled like `text`, the most similar first.
SELECT min(n.name) AS "name!"
  FROM (SELECT shop_id, order_id FROM order_search WHERE document %> :text! LIMIT 2000) s
  JOIN orders o ON o.shop_id = s.shop_id AND o.id = s.order_id
 CROSS JOIN LATERAL (VALUES (o.name), (o.buyer), (o.city)) n(name)
 WHERE n.name %> :text! AND lower(n.name) <> :text!
 GROUP BY lower(n.name)
 ORDER BY max(word_similarity(:text!, lower(n.name))) DESC, lower(n.name)
 LIMIT 3;
