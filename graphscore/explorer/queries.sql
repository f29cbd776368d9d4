-- The queries of the explorer's pages, over what the store counted already wherever
-- that is enough.  A line "-- name" begins a query; what stands in braces is filled in
-- by queries.py: texts as literals, conditions and parts as they are.

-- collection
select id from collection where name = {name};

-- collections
select id, name, created from collection order by id;

-- ingests
select max(id), count(*), (select max(created) from ranking),
  (select max(id) from ranking)
from ingest;

-- units
select evaluation, count(*) from pair where status <> 'spurious' group by evaluation;

-- errors
select evaluation, sum(errors) from error_total group by evaluation;

-- slices
select framework, language, layer from graph
where collection = {collection} group by 1, 2, 3;

-- graphs
select g.item, g.framework, g.language, g.layer, g.document,
  t.content as text
from graph g
left join text t on t.digest = g.text
where g.collection = {collection}{where}
order by g.framework, g.language, g.item, g.layer
limit {count} offset {first};

-- graph
select g.id, i.path, g.line from graph g
join collection c on c.id = g.collection
left join ingest i on i.id = g.ingest
where c.name = {collection}{where};

-- items
select framework, language, document, item, layer, status,
  gold_count, system_count, f1, errors
from v_items
where gold = {gold} and system = {system}
  and metric = {metric} and scope = {scope}
  and status <> 'spurious';

-- pairs
select p.framework, p.language, p.document, p.item, p.layer, p.status,
  p.gold_graph, p.system_graph, p.result
from pair p
where p.evaluation = {evaluation}{where}
  and p.status <> 'spurious' order by p.seq;

-- listed_pairs
select p.language, p.item, p.gold_graph, p.system_graph, p.result
from pair p
where p.evaluation = {evaluation} and p.item in ({items})
  and p.status <> 'spurious' order by p.seq;

-- document_graphs: of documents that metrics compare as a whole
select g.id, c.name, g.document
from graph g join collection c on c.id = g.collection
where c.name in ({gold}, {system}) and g.document in ({items})
  and g.item <> g.document
order by g.id limit 2001;

-- frameworks
select framework from pair where evaluation = {evaluation} group by framework;

-- symbols
select id from symbol where text = {text};

-- error_index
select p.seq, x.seq, coalesce(x.label, 0), coalesce(x.value, 0)
from pair p join error x on x.result = p.result
where p.evaluation = {evaluation} order by p.seq, x.seq;

-- error_totals
select t.{column}, t.error_type, sum(t.errors) as errors
from error_total t
where t.evaluation = {evaluation}{where}
group by 1, 2 order by 1, 2;

-- error_groups
select framework, tuple_type, error_type,
  coalesce((select y.text from symbol y where y.id = f.name), '') as name,
  (select y.text from symbol y where y.id = f.value) as value, errors
from (
{groups}
) f
order by errors desc, framework, tuple_type, error_type, name, value nulls first
limit {count} offset {first};

-- counted_groups
select t.framework, t.tuple_type, t.error_type, t.name, t.value, t.errors
from error_tuple t where t.evaluation = {evaluation}{where};

-- single_groups
select p.framework, x.tuple_type, x.error_type, coalesce(x.name, 0) as name,
  coalesce(x.value, 0) as value, count(*) as errors
{errors}{where}
group by 1, 2, 3, 4, 5;

-- all_errors
from pair p join error x on x.result = p.result
where p.evaluation = {evaluation};

-- known_errors: crossed, so that SQLite begins with the few
from (values {hits}) h cross join pair p cross join error x
where p.evaluation = {evaluation}
  and p.seq = h.column1 and x.result = p.result and x.seq = h.column2;

-- single_errors
select p.framework, p.language, p.document, p.item, p.layer,
  x.error_type, x.tuple_type, x.object,
  (select y.text from symbol y where y.id = x.label) as label,
  coalesce((select y.text from symbol y where y.id = x.name), '') as name,
  (select y.text from symbol y where y.id = x.value) as value,
  (select y.text from symbol y where y.id = x.compared) as compared,
  x.reason, x.credit,
  (select (select y.text from symbol y where y.id = z.value) from error z
    where z.result = x.result
    and z.tuple_type = x.tuple_type and coalesce(z.name, 0) = coalesce(x.name, 0)
    and z.error_type =
      case x.error_type when 'missing' then 'spurious' else 'missing' end
    and z.object = x.object and z.gold = x.gold and z.system = x.system
    and x.error_type <> 'partial' order by z.seq limit 1) as instead
{errors}{where}
order by p.seq, x.seq
limit {count} offset {first};

-- changes: as v_changes has them, which tells them one by one and takes longer
select framework, tuple_type, error_type,
  sum(case when b > s then b - s else 0 end) as fixed,
  sum(case when s > b then s - b else 0 end) as broken,
  sum(case when b < s then b else s end) as still
from (
  select p.framework, x.tuple_type, x.error_type,
    sum(case when x.result = p.result then 1 else 0 end) as b,
    sum(case when x.result = o.result then 1 else 0 end) as s
  from pair p join pair o on o.evaluation = {system} and o.item = p.item
    and o.framework = p.framework and o.language = p.language
    and o.layer = p.layer
  join error x on x.result in (p.result, o.result)
  where p.evaluation = {baseline}{where}
  group by p.seq, x.gold, x.value, x.label, x.name, x.error_type, x.tuple_type,
    x.object, p.framework
) c group by 1, 2, 3 order by 1, 2, 3;

-- single_changes
select status, framework, tuple_type, error_type, object, label, name, value, errors
from v_changes
where gold = {gold} and metric = {metric} and scope = {scope}
  and baseline = {baseline} and system = {system}{where}
order by status, framework, tuple_type, error_type, name, value limit 1000;

-- texts_found
select c.name as collection, g.framework, g.language, g.document, g.item, g.layer,
  t.content as text
from graph g
join collection c on c.id = g.collection
join text t on t.digest = g.text
where g.text in (select z.digest from text z
  where z.content {pattern})
limit {count};

-- items_found
select c.name as collection, g.framework, g.language, g.document, g.item, g.layer,
  t.content as text
from graph g
join collection c on c.id = g.collection
left join text t on t.digest = g.text
where g.item {pattern}
limit {count};

-- labels_found
select y.text, t.evaluation, t.framework, t.tuple_type, t.error_type, t.errors
from symbol y join error_tuple t on t.value = y.id
where y.text {pattern}
order by t.errors desc, y.text, t.evaluation limit {count};

-- label_users
select c.name as collection, g.framework, g.language, g.document, g.item, g.layer,
  y.text as label
from node n
join symbol y on y.id = n.label
join graph g on g.id = n.graph
join collection c on c.id = g.collection
where n.label in (select y.id from symbol y where y.text {pattern})
limit {count};

-- columns
select * from {view} limit 0;

-- document: those of an evaluation, which fields and switches offer
select distinct document from figure
where evaluation = {evaluation} and framework = '' and document <> ''
order by 1 limit 1000;

-- items_across
select u.framework, u.language, u.document, u.item, u.layer, u.wrong, u.systems, u.errors
from evaluation e
join task k on k.gold = e.gold and k.metric = e.metric and k.scope = e.scope
join unit_across u on u.task = k.id
where e.id = {evaluation}
order by u.wrong desc, u.errors desc, u.framework, u.item, u.language, u.layer
limit {count} offset {first};

-- errors_across
select u.item, u.framework, x.error_type, x.tuple_type,
  (select y.text from symbol y where y.id = x.label),
  (select y.text from symbol y where y.id = x.name),
  (select y.text from symbol y where y.id = x.value),
  x.systems, u.systems, (select c.name from collection c
    where x.systems = 1 and c.id = x.system)
from (
  select a.* from error_across a
  where a.task = (
    select k.id from evaluation e
    join task k on k.gold = e.gold and k.metric = e.metric and k.scope = e.scope
    where e.id = {evaluation}) and a.systems {wanted}
  order by a.systems desc, a.system, a.unit, a.tuple_type, a.error_type, a.object, a.gold
  limit {count} offset {first}) x
join unit_across u on u.id = x.unit
order by x.systems desc, x.system, x.unit, x.tuple_type, x.error_type, x.object, x.gold,
  5 nulls first, 6 nulls first, 7 nulls first;

-- confusions_across
select x.tuple_type,
  (select y.text from symbol y where y.id = x.name),
  (select y.text from symbol y where y.id = x.gold),
  (select y.text from symbol y where y.id = x.system),
  x.systems, x.confusions
from evaluation e
join task k on k.gold = e.gold and k.metric = e.metric and k.scope = e.scope
join confusion_across x on x.task = k.id
where e.id = {evaluation}
order by x.systems desc, x.confusions desc, x.tuple_type,
  2 nulls first, 3 nulls first, 4 nulls first
limit {count} offset {first};

-- profile: errors of every system of a task by tuple type
select s.name, t.tuple_type, sum(t.errors)
from evaluation e
join evaluation f on f.gold = e.gold and f.metric = e.metric and f.scope = e.scope
join collection s on s.id = f.system
join error_total t on t.evaluation = f.id
where e.id = {evaluation}
group by s.name, t.tuple_type
order by s.name, t.tuple_type;

-- label: those of the errors of an evaluation, the most frequent first
select y.text from (
  select label, sum(errors) as errors from error_label
  where evaluation = {evaluation} and label > 0
  group by label order by errors desc limit 200) x
join symbol y on y.id = x.label
where length(y.text) < 100
order by x.errors desc, y.text;
