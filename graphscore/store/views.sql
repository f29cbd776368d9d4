-- The public SQL interface: views that join all names in, documented column by column in
-- docs/views.md.  A store has each statement as it stands here, without these comments.
-- Strings are looked up where a query asks for them and nowhere else: counting errors by
-- tuple_type never touches the symbols.  They are looked up in subqueries, as SQLite leaves out
-- an unused one, but works out a column of a joined table all the same when it counts.
-- Ratios are divided as doubles, whatever amounts are kept as.
create view v_graphs as
  select
    c.name as collection,
    g.framework, g.language, g.document, g.item, g.layer,
    g.flavor,
    t.content as text,
    (select count(*) from node n where n.graph = g.id) as nodes,
    (select count(*) from edge x where x.graph = g.id) as edges,
    (select count(*) from top o where o.graph = g.id) as tops,
    i.path as file,
    g.line,
    i.format
  from graph g
  join collection c on c.id = g.collection
  left join text t on t.digest = g.text
  left join ingest i on i.id = g.ingest;

create view v_rejected as
  select
    c.name as collection,
    i.path as file,
    r.line, r.framework, r.item, r.message, r.raw
  from rejected r
  join ingest i on i.id = r.ingest
  join collection c on c.id = i.collection;

create view v_tuples as
  select
    c.name as collection,
    h.framework, h.language, h.document, h.item, h.layer,
    'tops' as tuple_type,
    q.node as node, cast(null as integer) as edge,
    (select y.text from symbol y where y.id = (select n.label from node n where n.graph = q.graph and n.ordinal = q.node)) as label,
    cast(null as text) as name, cast(null as text) as value,
    cast(null as text) as type,
    cast(null as integer) as source, cast(null as integer) as target
  from graph h
  join collection c on c.id = h.collection
  join top q on q.graph = h.id
  union all
  select
    c.name as collection,
    h.framework, h.language, h.document, h.item, h.layer,
    'labels' as tuple_type,
    n.ordinal, null, (select y.text from symbol y where y.id = n.label),
    null, (select y.text from symbol y where y.id = n.label), coalesce((select y.type from symbol y where y.id = n.label), 'null'), null, null
  from graph h
  join collection c on c.id = h.collection
  join node n on n.graph = h.id and n.label is not null
  union all
  select
    c.name as collection,
    h.framework, h.language, h.document, h.item, h.layer,
    'properties' as tuple_type,
    q.node, null, (select y.text from symbol y where y.id = (select n.label from node n where n.graph = q.graph and n.ordinal = q.node)),
    (select y.text from symbol y where y.id = q.name), (select y.text from symbol y where y.id = q.value), coalesce((select y.type from symbol y where y.id = q.value), 'null'), null, null
  from graph h
  join collection c on c.id = h.collection
  join property q on q.graph = h.id
  union all
  select
    c.name as collection,
    h.framework, h.language, h.document, h.item, h.layer,
    'anchors' as tuple_type,
    q.node, null, (select y.text from symbol y where y.id = (select n.label from node n where n.graph = q.graph and n.ordinal = q.node)),
    null, q.start || ':' || q.stop, 'range', null, null
  from graph h
  join collection c on c.id = h.collection
  join anchor q on q.graph = h.id
  union all
  select
    c.name as collection,
    h.framework, h.language, h.document, h.item, h.layer,
    'edges' as tuple_type,
    null, x.ordinal, (select y.text from symbol y where y.id = x.label),
    null, (select y.text from symbol y where y.id = x.label), coalesce((select y.type from symbol y where y.id = x.label), 'null'), x.source, x.target
  from graph h
  join collection c on c.id = h.collection
  join edge x on x.graph = h.id
  union all
  select
    c.name as collection,
    h.framework, h.language, h.document, h.item, h.layer,
    'attributes' as tuple_type,
    null, q.edge, (select y.text from symbol y where y.id = x.label),
    (select y.text from symbol y where y.id = q.name), (select y.text from symbol y where y.id = q.value), coalesce((select y.type from symbol y where y.id = q.value), 'null'), x.source, x.target
  from graph h
  join collection c on c.id = h.collection
  join attribute q on q.graph = h.id
  join edge x on x.graph = q.graph and x.ordinal = q.edge;

create view v_evaluations as
  select
    g.name as gold, s.name as system, e.metric, e.scope,
    e.revision, case when e.outdated then 'outdated' else e.status end as evaluation,
    (select count(*) from pair p where p.evaluation = e.id and p.status <> 'spurious')
      as units,
    (select count(*) from pair p where p.evaluation = e.id
      and p.status in ('missing', 'rejected')) as missing,
    (select count(*) from pair p where p.evaluation = e.id and p.status = 'spurious')
      as spurious,
    e.created, e.signature
  from evaluation e
  join collection g on g.id = e.gold
  join collection s on s.id = e.system;

create view v_items as
  select
    g.name as gold, s.name as system, e.metric, e.scope,
    e.revision, case when e.outdated then 'outdated' else e.status end as evaluation,
    p.framework, p.language, p.document, p.item, p.layer,
    p.status,
    r.gold_count, r.system_count, r.matched, r.matched_system, r.f1,
    r.score, r.bound, cast(r.proven as integer) as proven, r.steps,
    r.method, r.microseconds,
    (select coalesce(sum(n.errors), 0) from error_count n where n.result = p.result)
      as errors
  from evaluation e
  join collection g on g.id = e.gold
  join collection s on s.id = e.system
  join pair p on p.evaluation = e.id
  left join result r on r.id = p.result;

create view v_scores as
  select
    g.name as gold, s.name as system, e.metric, e.scope,
    e.revision, case when e.outdated then 'outdated' else e.status end as evaluation,
    p.framework, p.language, p.document, p.item, p.layer,
    a.tuple_type,
    a.value as gold_count,
    b.value as system_count,
    m.value as matched,
    coalesce(k.value, m.value) as matched_system,
    case when b.value = 0 then 0.0
      else cast(coalesce(k.value, m.value) as float) / b.value end as precision,
    case when a.value = 0 then 0.0
      else cast(m.value as float) / a.value end as recall,
    case when k.value is null and a.value + b.value > 0
        then 2.0 * cast(m.value as float) / (a.value + b.value)
      when a.value > 0 and b.value > 0 and m.value + k.value > 0
        then 2.0 * (cast(k.value as float) / b.value)
          * (cast(m.value as float) / a.value)
          / (cast(k.value as float) / b.value + cast(m.value as float) / a.value)
      else 0.0 end as f1,
    r.score, r.bound, cast(r.proven as integer) as proven, r.steps
  from evaluation e
  join collection g on g.id = e.gold
  join collection s on s.id = e.system
  join pair p on p.evaluation = e.id
  join raw_count a on a.result = p.result and a.label = '' and a.quantity = 'gold'
  left join raw_count b on b.result = a.result and b.tuple_type = a.tuple_type
    and b.label = '' and b.quantity = 'system'
  left join raw_count m on m.result = a.result and m.tuple_type = a.tuple_type
    and m.label = '' and m.quantity = 'matched'
  left join raw_count k on k.result = a.result and k.tuple_type = a.tuple_type
    and k.label = '' and k.quantity = 'matched_system'
  left join result r on r.id = p.result;

create view v_errors as
  select
    g.name as gold, s.name as system, e.metric, e.scope,
    e.revision, case when e.outdated then 'outdated' else e.status end as evaluation,
    p.framework, p.language, p.document, p.item, p.layer,
    x.error_type, x.tuple_type, x.object,
    x.gold as gold_ordinal, x.system as system_ordinal,
    (select y.text from symbol y where y.id = x.label) as label,
    coalesce((select y.text from symbol y where y.id = x.name), '') as name,
    (select y.text from symbol y where y.id = x.value) as value,
    coalesce((select y.type from symbol y where y.id = x.value), 'null') as type,
    (select y.text from symbol y where y.id = x.compared) as compared,
    x.reason, x.credit, x.parent,
    coalesce((select m.level + 1 from correspondence m
      where m.result = x.result and m.seq = x.parent), 0) as level
  from evaluation e
  join collection g on g.id = e.gold
  join collection s on s.id = e.system
  join pair p on p.evaluation = e.id
  join error x on x.result = p.result;

create view v_error_counts as
  select
    g.name as gold, s.name as system, e.metric, e.scope,
    e.revision, case when e.outdated then 'outdated' else e.status end as evaluation,
    t.framework, t.document, t.tuple_type, t.error_type, t.errors
  from evaluation e
  join collection g on g.id = e.gold
  join collection s on s.id = e.system
  join error_total t on t.evaluation = e.id;

create view v_error_tuples as
  select
    g.name as gold, s.name as system, e.metric, e.scope,
    e.revision, case when e.outdated then 'outdated' else e.status end as evaluation,
    t.framework, t.tuple_type, t.error_type,
    coalesce((select y.text from symbol y where y.id = t.name), '') as name,
    (select y.text from symbol y where y.id = t.value) as value,
    t.errors
  from evaluation e
  join collection g on g.id = e.gold
  join collection s on s.id = e.system
  join error_tuple t on t.evaluation = e.id;

create view v_error_labels as
  select
    g.name as gold, s.name as system, e.metric, e.scope,
    e.revision, case when e.outdated then 'outdated' else e.status end as evaluation,
    t.framework, t.tuple_type, t.error_type,
    (select y.text from symbol y where y.id = t.label) as label,
    coalesce((select y.text from symbol y where y.id = t.name), '') as name,
    (select y.text from symbol y where y.id = t.value) as value,
    coalesce((select y.type from symbol y where y.id = t.value), 'null') as type,
    t.errors
  from evaluation e
  join collection g on g.id = e.gold
  join collection s on s.id = e.system
  join error_label t on t.evaluation = e.id;

create view v_correspondences as
  select
    g.name as gold, s.name as system, e.metric, e.scope,
    e.revision, case when e.outdated then 'outdated' else e.status end as evaluation,
    p.framework, p.language, p.document, p.item, p.layer,
    m.seq, m.parent, m.level,
    case when m.system is null then 'gold'
      when m.gold is null then 'system' else 'both' end as side,
    m.object,
    m.gold as gold_ordinal, m.system as system_ordinal,
    case m.object when 'node' then (select y.text from symbol y where y.id = (select n.label from node n where n.graph = p.gold_graph and n.ordinal = m.gold)) end as gold_label,
    case m.object when 'node' then (select y.text from symbol y where y.id = (select n.label from node n where n.graph = p.system_graph and n.ordinal = m.system)) end as system_label,
    m.credit
  from evaluation e
  join collection g on g.id = e.gold
  join collection s on s.id = e.system
  join pair p on p.evaluation = e.id
  join correspondence m on m.result = p.result;

create view v_confusions as
  select
    g.name as gold, s.name as system, e.metric, e.scope,
    e.revision, case when e.outdated then 'outdated' else e.status end as evaluation,
    t.framework, t.document,
    t.tuple_type,
    coalesce(a.text, '') as name,
    v.text as gold_value,
    w.text as system_value,
    sum(t.confusions) as confusions
  from evaluation e
  join collection g on g.id = e.gold
  join collection s on s.id = e.system
  join confusion t on t.evaluation = e.id
  left join symbol a on a.id = t.name
  left join symbol v on v.id = t.gold
  left join symbol w on w.id = t.system
  group by g.name, s.name, e.metric, e.scope, e.revision, e.outdated, e.status,
    t.framework, t.document, t.tuple_type, a.text, v.text, w.text;

-- Entities that coreference metrics found divided, conflated or not at all.  Level 0 of
-- their correspondences is a contingency table: a gold entity beside a system entity with
-- the number of mentions that they share, or an entity alone with the number of mentions
-- that nobody of the other side has.  Everything else follows from sums along its rows and
-- columns.
create view v_entity_errors as
  select
    c.gold, c.system, c.metric, c.scope, c.revision, c.evaluation,
    c.framework, c.language, c.document, c.item, c.layer,
    k.error,
    c.gold_ordinal, c.system_ordinal,
    (select y.text from symbol y where y.id = (
      select n.label from node n
      where n.graph = c.gold_graph and n.ordinal = c.gold_ordinal)) as gold_label,
    (select y.text from symbol y where y.id = (
      select n.label from node n
      where n.graph = c.system_graph and n.ordinal = c.system_ordinal)) as system_label,
    c.mentions,
    case when c.gold_ordinal is not null then c.gold_mentions end as gold_mentions,
    case when c.system_ordinal is not null
      then c.system_mentions end as system_mentions,
    case when k.error in ('divided', 'missing') then c.system_parts
      else c.gold_parts end as parts
  from (
    select
      g.name as gold, s.name as system, e.metric, e.scope, e.revision,
      case when e.outdated then 'outdated' else e.status end as evaluation,
      p.framework, p.language, p.document, p.item, p.layer,
      p.gold_graph, p.system_graph,
      m.gold as gold_ordinal, m.system as system_ordinal,
      cast(m.credit as integer) as mentions,
      cast(sum(m.credit) over gold_entity as integer) as gold_mentions,
      cast(sum(m.credit) over system_entity as integer) as system_mentions,
      count(m.system) over gold_entity as system_parts,
      count(m.gold) over system_entity as gold_parts
    from evaluation e
    join collection g on g.id = e.gold
    join collection s on s.id = e.system
    join pair p on p.evaluation = e.id
    join result r on r.id = p.result and r.method = 'contingency'
    join correspondence m on m.result = p.result and m.level = 0
    window gold_entity as (partition by e.id, p.seq, m.gold),
      system_entity as (partition by e.id, p.seq, m.system)
  ) c
  join (
    select 'divided' as error union all select 'conflated'
    union all select 'missing' union all select 'extra'
  ) k on (k.error = 'missing' and c.system_ordinal is null)
    or (k.error = 'extra' and c.gold_ordinal is null)
    or (c.gold_ordinal is not null and c.system_ordinal is not null
      and ((k.error = 'divided' and c.system_parts > 1)
        or (k.error = 'conflated' and c.gold_parts > 1)));

-- What changed between two systems: errors fixed, broken and left.  Two errors are the
-- same if they say the same of the same gold object: same item, error type, tuple type, object, ordinal
-- of the gold object (of the counterpart, for what is spurious), label, name and value.  The
-- system's own ordinals do not count, which differ between systems; errors that are equal
-- without them are counted.  Names are grouped by, so that a condition on them is looked at
-- before anything is sorted; integers come first, which are told apart faster.
create view v_changes as
  select
    t.gold, t.metric, t.scope, t.baseline, t.system, t.evaluation,
    t.framework, t.language, t.document, t.item, t.layer,
    t.error_type, t.tuple_type, t.object, t.gold_ordinal,
    (select y.text from symbol y where y.id = t.label) as label,
    coalesce((select y.text from symbol y where y.id = t.name), '') as name,
    (select y.text from symbol y where y.id = t.value) as value,
    coalesce((select y.type from symbol y where y.id = t.value), 'null') as type,
    k.status,
    case k.status
      when 'fixed' then t.baseline_errors - t.system_errors
      when 'broken' then t.system_errors - t.baseline_errors
      else case when t.baseline_errors < t.system_errors
        then t.baseline_errors else t.system_errors end end as errors
  from (
    select
      g.name as gold, e.metric, e.scope, b.name as baseline, s.name as system,
      case when e.outdated or f.outdated then 'outdated'
        when e.status = 'done' then f.status else e.status end as evaluation,
      p.framework, p.language, p.document, p.item, p.layer,
      x.error_type, x.tuple_type, x.object, x.gold as gold_ordinal, x.label, x.name, x.value,
      sum(case when x.result = p.result then 1 else 0 end) as baseline_errors,
      sum(case when x.result = o.result then 1 else 0 end) as system_errors
    from evaluation e
    join evaluation f on f.gold = e.gold and f.metric = e.metric
      and f.scope = e.scope and f.id <> e.id
    join collection g on g.id = e.gold
    join collection b on b.id = e.system
    join collection s on s.id = f.system
    join pair p on p.evaluation = e.id
    join pair o on o.evaluation = f.id and o.item = p.item
      and o.framework = p.framework and o.language = p.language
      and o.layer = p.layer
    join error x on x.result in (p.result, o.result)
    where p.result is not null and o.result is not null
    group by p.seq, x.gold, x.value, x.label, x.name, x.error_type, x.tuple_type, x.object,
      e.id, f.id, g.name, e.metric, e.scope, b.name, s.name,
      e.outdated, f.outdated, e.status, f.status,
      p.framework, p.language, p.document, p.item, p.layer
  ) t
  join (
    select 'fixed' as status union all select 'broken' union all select 'still'
  ) k on (k.status = 'fixed' and t.baseline_errors > t.system_errors)
    or (k.status = 'broken' and t.system_errors > t.baseline_errors)
    or (k.status = 'still' and t.baseline_errors > 0 and t.system_errors > 0);

-- Across the systems of a task.  Everything here is counted when an evaluation is made.
create view v_items_across as
  select
    g.name as gold, k.metric, k.scope,
    u.framework, u.language, u.document, u.item, u.layer,
    u.systems, u.wrong, u.errors
  from task k
  join collection g on g.id = k.gold
  join unit_across u on u.task = k.id;

create view v_errors_across as
  select
    g.name as gold, k.metric, k.scope,
    u.framework, u.language, u.document, u.item, u.layer,
    x.error_type, x.tuple_type, x.object,
    case when x.gold >= 0 then x.gold end as gold_ordinal,
    (select y.text from symbol y where y.id = x.label) as label,
    coalesce((select y.text from symbol y where y.id = x.name), '') as name,
    (select y.text from symbol y where y.id = x.value) as value,
    coalesce((select y.type from symbol y where y.id = x.value), 'null') as type,
    x.systems, u.systems as of_systems, x.errors, s.name as only_system
  from task k
  join collection g on g.id = k.gold
  join error_across x on x.task = k.id
  left join unit_across u on u.id = x.unit
  left join collection s on x.systems = 1 and s.id = x.system;

create view v_confusions_across as
  select
    g.name as gold, k.metric, k.scope,
    x.tuple_type,
    coalesce((select y.text from symbol y where y.id = x.name), '') as name,
    (select y.text from symbol y where y.id = x.gold) as gold_value,
    (select y.text from symbol y where y.id = x.system) as system_value,
    x.systems, x.confusions
  from task k
  join collection g on g.id = k.gold
  join confusion_across x on x.task = k.id;

create view v_leaderboard as
  select
    g.name as gold, s.name as system, e.metric, e.scope,
    e.revision, case when e.outdated then 'outdated' else e.status end as evaluation,
    case when f.framework = '' then 'all' else f.framework end as framework,
    f.score, cast(f.main as integer) as main, f.value, f.units, f.missing,
    q.rank, q.best, q.worst, q.lower, q.upper, q.cluster, r.created as ranked
  from evaluation e
  join collection g on g.id = e.gold
  join collection s on s.id = e.system
  join figure f on f.evaluation = e.id and f.document = ''
  left join task k on k.gold = e.gold and k.metric = e.metric and k.scope = e.scope
  left join ranking r on r.task = k.id and r.framework = f.framework
    and r.score = f.score
  left join ranked q on q.ranking = r.id and q.system = s.name;

create view v_documents as
  select
    g.name as gold, s.name as system, e.metric, e.scope,
    e.revision, case when e.outdated then 'outdated' else e.status end as evaluation,
    case when f.framework = '' then 'all' else f.framework end as framework,
    f.document, f.score, cast(f.main as integer) as main, f.value, f.units, f.missing,
    (select coalesce(sum(t.errors), 0) from error_total t
      where t.evaluation = e.id and t.document = f.document
        and (f.framework = '' or t.framework = f.framework)) as errors
  from evaluation e
  join collection g on g.id = e.gold
  join collection s on s.id = e.system
  join figure f on f.evaluation = e.id and f.document <> '';
