-- Everyday questions about a store, each with a name, for `graphscore query --example`
-- and the box of the explorer.  They are there to be copied and changed.

-- leaderboard: the score of every system, best first
select gold, metric, system, round(cast(value as numeric), 4) as score, rank, best, worst, cluster,
  units, missing
from v_leaderboard
where framework = 'all' and main = 1
order by gold, metric, scope, coalesce(rank, 0), value desc;

-- by-framework: the score of every system in every framework, and their mean
select gold, metric, framework, system, round(cast(value as numeric), 4) as score, units, missing
from v_leaderboard
where main = 1
order by gold, metric, scope, framework, value desc;

-- by-tuple-type: F1 of every system by tuple type
select gold, metric, score, system, round(cast(value as numeric), 4) as f1
from v_leaderboard
where framework = 'all' and score like '%.f1'
order by gold, metric, scope, score, value desc;

-- worst-everywhere: the items that most systems get wrong, with most errors
select gold, metric, framework, item, wrong, systems, errors
from v_items_across
order by wrong desc, errors desc, framework, item
limit 50;

-- one-fails: the items that only one of several systems gets wrong
select gold, metric, framework, item, systems, errors
from v_items_across
where wrong = 1 and systems > 1
order by errors desc, framework, item
limit 50;

-- all-make: errors that every system makes
select gold, metric, framework, item, error_type, tuple_type, label, name, value, systems
from v_errors_across
where systems >= (select max(systems) from v_items_across) and systems = of_systems
limit 50;

-- alone: how many errors a system makes that no other makes
select gold, metric, only_system as system, count(*) as errors
from v_errors_across
where systems = 1
group by gold, metric, scope, only_system
order by gold, metric, errors desc;

-- profile: errors of every system by tuple type, beside the mean of all systems
select gold, metric, system, tuple_type, sum(errors) as errors,
  round(avg(sum(errors)) over (partition by gold, metric, scope, tuple_type), 1) as mean
from v_error_counts
group by gold, metric, scope, system, tuple_type
order by gold, metric, scope, tuple_type, errors desc;

-- confusions: what is taken for what, by the number of systems
select gold, metric, tuple_type, name, gold_value, system_value, systems, confusions
from v_confusions_across
order by systems desc, confusions desc, tuple_type, gold_value, system_value
limit 50;

-- missed-labels: labels whose nodes or edges are missed most
select gold, metric, tuple_type, label, count(distinct system) as systems,
  sum(errors) as missed
from v_error_labels
where error_type = 'missing'
group by gold, metric, scope, tuple_type, label
order by missed desc, tuple_type, label
limit 50;

-- documents: the hardest documents, by the mean score of all systems
select gold, metric, document, round(cast(avg(value) as numeric), 4) as mean, count(*) as systems,
  max(units) as units, sum(errors) as errors
from v_documents
where framework = 'all' and main = 1
group by gold, metric, scope, document
order by mean, document
limit 50;

-- no-answer: gold units that a system has not, or could not be read
select gold, metric, system, framework, item, status
from v_items
where status in ('missing', 'rejected')
order by gold, metric, system, framework, item
limit 200;
